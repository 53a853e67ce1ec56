import { MAX_INVITATIONS_PER_CALL } from '../../../../contract/people/invitation-calls.ts'
import { Email } from '../../../../contract/kernel/scalars.ts'

/** Error in entered addresses; `address` is the first invalid one. */
export type AddressFault = { fault: 'required' | 'tooMany' } | { fault: 'email'; address: string }

/**
 * Parses addresses separated by spaces, commas, semicolons or lines, some as `Name <address>`. Returns them in lower case, without
 * duplicates, in the order given.
 */
export function readAddresses(text: string): readonly string[] | AddressFault {
  const words = text.split(/[\s,;，；、]+/).filter(Boolean)
  const bracketed = words.some((word) => /^<.+>$/.test(word))
  // In "Wang Da-ming <ming@example.com>", words outside the brackets are a name.
  const given = bracketed ? words.filter((word) => word.includes('@')) : words
  const found = new Set<string>()
  for (const word of given) {
    const read = Email.safeParse(word.replace(/^<(.+)>$/, '$1'))
    if (!read.success) return { fault: 'email', address: word }
    found.add(read.data)
  }
  if (found.size === 0) return { fault: 'required' }
  return found.size > MAX_INVITATIONS_PER_CALL ? { fault: 'tooMany' } : [...found]
}

export const isRead = (read: readonly string[] | AddressFault): read is readonly string[] =>
  Array.isArray(read)
