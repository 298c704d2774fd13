// Who sits at a table: how many there are, who they may be, and the links they are sent.

/** What a game says about its players: how many usually play, which choice says how many, and which choices go together. */
export interface Seating {
  sides: number
  players_choice?: string
  choices: Record<string, string[]>
  goes_with?: Record<string, Record<string, Record<string, string[]>>>
}

/** A person, where a bot could be named. */
export const HUMAN = 'human'

/** How many people and bots play, by what was agreed on. */
export const playersOf = (game: Seating, choices: Record<string, string>) =>
  (game.players_choice && Number(choices[game.players_choice])) || game.sides

/** The values of a choice that go with the other choices as they are. */
export function valuesWith(game: Seating, key: string, choices: Record<string, string>): string[] {
  const goes = (one: string, value: string, other: string, chosen: string) => game.goes_with?.[one]?.[value]?.[other]?.includes(chosen) ?? true
  const fits = (value: string) =>
    Object.entries(choices).every(([other, chosen]) => other === key || (goes(other, chosen, key, value) && goes(key, value, other, chosen)))
  return game.choices[key].filter(fits)
}

/** The choices after one of them was made: those that no longer go with it take a value that does. */
export function chosen(game: Seating, choices: Record<string, string>, key: string, value: string): Record<string, string> {
  const made: Record<string, string> = { [key]: value }
  for (const other of Object.keys(game.choices)) {
    if (other === key) continue
    const fitting = valuesWith(game, other, made)
    made[other] = fitting.includes(choices[other]) ? choices[other] : (fitting[0] ?? choices[other])
  }
  return made
}

interface Seat {
  sides: number[]
  link: string
}
export interface Others {
  /** Of battles that were kept before there could be more than one other seat. */
  seat?: string
  seats?: { side: number; link: string }[]
  watch?: string
}

/** The links of everybody but the one who has made a battle. */
export const othersOf = (made: { seats: Seat[]; spectator: { link: string } }): Others => ({
  seats: made.seats.slice(1).map((seat) => ({ side: seat.sides[0], link: seat.link })),
  watch: made.spectator.link,
})

/** The links to the other seats, whenever the battle was kept. */
export const seatLinks = (others: Others | undefined) => others?.seats ?? (others?.seat ? [{ side: 1, link: others.seat }] : [])
