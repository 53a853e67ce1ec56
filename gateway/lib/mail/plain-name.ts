import { isolated } from '../../../contract/kernel/isolated.ts'

/**
 * A name that one person typed, as it stands in a mail to another: on one line, and with nothing that a mail program would make
 * a link of, because the mail comes from us. `https://a.example` becomes `https: //a. example`.
 */
export const plainName = (name: string): string =>
  isolated(
    name
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replaceAll('://', ': //')
      .replace(/(?<=\S)([.@])(?=[\p{L}\p{N}])/gu, '$1 ')
      .trim(),
  )
