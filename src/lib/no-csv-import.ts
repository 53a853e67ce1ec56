/** Replaces the CSV parser of Refine's import and export hooks, which no screen uses. */
const refuse = (): never => {
  throw new Error('CSV import is not part of this product')
}

export const parse = refuse
export const unparse = refuse
export default { parse, unparse }
