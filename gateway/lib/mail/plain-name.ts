import { isolated } from '../../../contract/kernel/text.ts'

/**
 * Sanitizes a user-entered name for an email to another user: on one line, and without text that mail programs turn into links, because
 * the gateway is the sender. `https://a.example` becomes `https: //a. example`.
 */
export const plainName = (name: string): string =>
  isolated(
    name
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll('://', ': //')
      .replace(/(?<=\S)([.@])(?=[\p{L}\p{N}])/gu, '$1 ')
      .trim(),
  )
