// The few words of the lobby that every page needs; the others come with its own.

import type { Lang } from '../words'

export const MEET: Record<Lang, { lobby: string; yourTurn: string }> = {
  en: { lobby: 'Open tables', yourTurn: 'Your turn' },
  fr: { lobby: 'Tables ouvertes', yourTurn: 'À vous' },
}
