/** Simple address pattern of §5. */
export const EMAIL_PATTERN = /^[^\s@<>()"',;:\\]+@[^\s@<>()"',;:\\]+\.[^\s@<>()"',;:\\.]+$/

/** What a password must have (§2, §5), each with the word its notice is looked up by. */
export const PASSWORD_RULES = {
  length: (password: string) => password.length >= 6,
  digit: (password: string) => /\d/.test(password),
  lower: (password: string) => /[a-z]/.test(password),
} as const

export type PasswordRule = keyof typeof PASSWORD_RULES

/** Whether a password keeps every rule, and is no longer than what is worth hashing: 256 characters. */
export const isPassword = (password: string): boolean =>
  password.length <= 256 && Object.values(PASSWORD_RULES).every((holds) => holds(password))
