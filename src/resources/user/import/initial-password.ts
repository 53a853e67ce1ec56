/** Without letters and digits that are taken for one another on paper. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const DIGITS = '23456789'

/** A password to hand out, changed at the first sign-in: ten letters and two digits, about 51 bits (§5). */
export function initialPassword(): string {
  const pick = (from: string, count: number) =>
    Array.from({ length: count }, () => from[below(from.length)]).join('')
  return `${pick(LETTERS, 5)}${pick(DIGITS, 1)}${pick(LETTERS, 5)}${pick(DIGITS, 1)}`
}

/** A random number below a limit of at most 256, every one as likely. */
function below(limit: number): number {
  const most = 256 - (256 % limit)
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    if (byte !== undefined && byte < most) return byte % limit
  }
}
