/** Letters of a column (0 is the first) as in spreadsheets: A … Z, AA … */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}
