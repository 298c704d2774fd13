"""The maps that come with the program: one TOML file each, read by `oriflamme.engine.table.maps`."""
