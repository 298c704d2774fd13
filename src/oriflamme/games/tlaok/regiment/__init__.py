"""Regiments (TLAOK-REG, TLAOK-FORM, TLAOK-CONTACT): stands in ranks and files, who touches whom, command models."""
