// Special rules and problems as people read them.

import { named, type Lang, type Named } from '../words'
import type { Offers, Problem, Unit } from './draft.svelte'

export const keyOf = (rule: string): string => rule.replace(/\(.*$/, '')

/** A special rule as this language says it, with its number or word in brackets. */
export function ruleName(rule: string, offers: Offers, lang: Lang): string {
  const special = offers.glossary[keyOf(rule)]
  const inside = /\((.*)\)$/.exec(rule)?.[1] ?? ''
  const name = named(special?.name, lang) || keyOf(rule)
  const words = inside.split(', ').map((word) => named(offers.words[word], lang) || word)
  return inside ? `${name} (${words.join(', ')})` : name
}

/** The special rules that units use, each once, by name. */
export function rulesOf(units: Unit[], offers: Offers, lang: Lang): { key: string; name: string; text: string }[] {
  const keys = new Set<string>()
  for (const unit of units) {
    for (const rule of [...unit.rules, ...unit.weapons.flatMap((w) => w.rules), ...unit.spells.flatMap((s) => s.rules)]) keys.add(keyOf(rule))
  }
  return [...keys]
    .filter((key) => offers.glossary[key])
    .map((key) => {
      const special = offers.glossary[key]
      const x = special.takes.length ? ' (X)' : ''
      return { key, name: named(special.name, lang) + x, text: named(special.text, lang) }
    })
    .sort((a, b) => a.name.localeCompare(b.name, lang))
}

export function problemWords(problem: Problem, lang: Lang): { what: string; hint: string } {
  const said = problem.words?.[lang] ?? problem.words?.en ?? problem
  return { what: said.what, hint: said.hint ?? '' }
}

export function upgradeAbout(names: Named, template: string, lang: Lang): string {
  const name = named(names, lang)
  return name ? template.replace('{name}', name) : ''
}
