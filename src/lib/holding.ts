/** What tells whether a text holds every word that is searched for, in any letter case; without words every text does. */
export function holding(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return (text) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}
