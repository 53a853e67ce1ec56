import { plainName } from '../../lib/mail/plain-name.ts'
import { countMail } from '../../lib/mail/quota.ts'
import { limiter } from '../../http/rate-limits.ts'
import type { SignedIn } from '../../context.ts'
import type { Deps } from '../../deps.ts'
import { sql } from '../../store/db.ts'

/** How often in an hour one administrator may come upon an address of another company. */
const AN_HOUR = 20

/**
 * The letter to a person of another company, where an address is one's, which the company that asks is not told: it is answered
 * as if the person had been added. Undefined of every other address. Whoever asks sends the letter.
 *
 * errors  LIMIT_EXCEEDED for an administrator who tries many
 */
export function createForeignAddresses({
  clock,
  config,
}: Pick<Deps, 'clock'> & { config: Pick<Deps['config'], 'mailQuota'> }) {
  const count = limiter({ perSecond: AN_HOUR / 3_600, burst: AN_HOUR }, clock)

  return async function letterToForeign(email: string, { db, actor }: SignedIn): Promise<Letter | undefined> {
    const [person] = await db.query<{ language: string | null }>(sql`
      select c.language from users u left join personal_configs c using (cognito_id)
      where u.email = ${email} and u.tenant <> ${actor.tenant}`)
    if (!person) return undefined
    count(actor.cognitoId)
    const [company] = await db.query<{ name: string }>(
      sql`select company_name as name from companies where tenant = ${actor.tenant}`,
    )
    await countMail(db, { tenant: actor.tenant, to: email, now: clock.now(), quota: config.mailQuota })
    return compose(email, plainName(company?.name ?? ''), person.language === 'en-US')
  }
}

/** A mail to one address. */
export interface Letter {
  to: string
  subject: string
  text: string
  html?: string
}

const compose = (to: string, company: string, inEnglish: boolean): Letter =>
  inEnglish
    ? {
        to,
        subject: 'A company wants to add you',
        text: `${company} wants to add this address as a user. It belongs to an account of another company already, so nothing was changed. To work there too, give them another address of yours.`,
      }
    : {
        to,
        subject: '有公司想將您加為使用者',
        text: `${company} 想將這個電子郵件地址加為使用者，但它已屬於另一家公司的帳號，因此沒有任何變更。若您也要在那裡使用，請提供另一個電子郵件地址。`,
      }
