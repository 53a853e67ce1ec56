/** How many there are, with the thousands apart: "10,004". */
export const formatCount = (count: number, language: string): string => count.toLocaleString(language)
