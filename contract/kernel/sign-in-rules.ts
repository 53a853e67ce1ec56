/** Pattern of an email address (§5). */
export const EMAIL_PATTERN = /^[^\s@<>()"',;:\\]+@[^\s@<>()"',;:\\]+\.[^\s@<>()"',;:\\.]+$/

/** Rules for passwords (§2, §5); the key of each is also the key of its message. */
export const PASSWORD_RULES = {
  length: (password: string) => password.length >= 6,
  digit: (password: string) => /\d/.test(password),
  lower: (password: string) => /[a-z]/.test(password),
} as const

export type PasswordRule = keyof typeof PASSWORD_RULES

/** Whether a password meets every rule and has at most 256 characters, which bounds the cost of hashing. */
export const isPassword = (password: string): boolean =>
  password.length <= 256 && Object.values(PASSWORD_RULES).every((matches) => matches(password))
