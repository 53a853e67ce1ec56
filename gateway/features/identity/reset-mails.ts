import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Mail } from '../../kernel/ports.ts'
import { sql, type Db } from '../../kernel/db.ts'
import type { Codes } from './codes.ts'
import { composeResetLinkMail, composeResetMail } from './emails.ts'
import { findByEmail } from './people.ts'

/** Purposes of the codes and links in these emails. */
export const BY_CODE = 'reset-password'
export const BY_LINK = 'reset-password-link'
/** Longer than the longest delay between two emails, so that requesting more of them does not invalidate the last one too early. */
const LINK_LIFE = 60 * 60_000
/** Validity of a link that an administrator requested: the recipient may not read email soon. */
const ASKED_LINK_LIFE = 24 * 60 * 60_000

/** Link to the page for a new password. The part after # stays in the browser, so no server, proxy or log sees the secret. */
const resetLink = (baseUrl: string, email: string, secret: string): string =>
  `${baseUrl}/resetPassWord#${new URLSearchParams({ email, code: secret })}`

export type ResetMails = ReturnType<typeof createResetMails>

/**
 * Emails with which a person sets a new password.
 *
 * baseUrl  address of the product for browsers, without a slash at the end
 */
export function createResetMails({
  db,
  mail,
  codes,
  baseUrl,
}: {
  db: Db
  mail: Mail
  codes: Codes
  baseUrl: string
}) {
  async function languageOf(cognitoId: string): Promise<Language> {
    const [config] = await db.query<{ language: string | null }>(sql`
      select language from personal_configs where cognito_id = ${cognitoId}::uuid`)
    return config?.language === 'en-US' ? 'en-US' : 'zh-TW'
  }

  return {
    /** Emails a code and a link, if the address belongs to a person with a password here. */
    async sendCode(email: string): Promise<void> {
      const person = await findByEmail(db, email)
      if (!person?.enabled || person.passwordHash === undefined) return
      const language = await languageOf(person.cognitoId)
      const code = await codes.create(person, BY_CODE)
      const link = resetLink(
        baseUrl,
        person.email,
        await codes.createLink(person, BY_LINK, { life: LINK_LIFE }),
      )
      await mail.send(composeResetMail(person.email, { code, link }, language))
    },

    /** Emails a link that an administrator requested; `on` is the transaction that has locked the person. */
    async sendLink(
      person: { tenant: string; cognitoId: string; email: string },
      on: Db,
      instead?: Parameters<Mail['send']>[0],
    ): Promise<void> {
      if (instead) return mail.send(instead)
      const secret = await codes.createLink(person, BY_LINK, { life: ASKED_LINK_LIFE, on })
      const link = resetLink(baseUrl, person.email, secret)
      await mail.send(composeResetLinkMail(person.email, link, await languageOf(person.cognitoId)))
    },
  }
}
