// Ticks, where several may be picked.

/** What is picked after a click on one: it goes, or it comes; where no more may be picked, the one that was there first gives way. */
export function ticked(picked: string[], key: string, most = Infinity): string[] {
  if (picked.includes(key)) return picked.filter((one) => one !== key)
  const all = [...picked, key]
  return all.slice(Math.max(0, all.length - Math.max(1, most)))
}
