import type { Language } from '../../../contract/kernel/scalars.ts'
import type { Mail } from '../../kernel/ports.ts'
import { sql, type Db } from '../../store/db.ts'
import type { Codes } from './codes.ts'
import { composeResetLinkMail, composeResetMail } from './emails.ts'
import { findByEmail } from './people.ts'

/** What codes and links of these mails are for. */
export const BY_CODE = 'reset-password'
export const BY_LINK = 'reset-password-link'
/** Longer than the longest pause between two mails, so that whoever asks for mails in vain still leaves a good one. */
const LINK_LIFE = 60 * 60_000
/** Of a link that an administrator asked for: its person may be away from their mail. */
const ASKED_LINK_LIFE = 24 * 60 * 60_000

/** The page that takes the new password. What follows # stays in the browser: no server, proxy or log sees it. */
const resetLink = (baseUrl: string, email: string, secret: string): string =>
  `${baseUrl}/resetPassWord#${new URLSearchParams({ email, code: secret })}`

export type ResetMails = ReturnType<typeof createResetMails>

/**
 * The mails that let a person set a new password.
 *
 * baseUrl  where browsers reach the product, without a slash at the end
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
    /** A code and a link, to whoever has the address and a password here. */
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

    /** A link that an administrator asked for; `on` is the transaction that holds the person. */
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
