import type { Language } from '../../../contract/kernel/scalars.ts'
import type { User } from '../../../contract/people/user.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { plainName } from '../../lib/mail/address.ts'
import { assertMailQuota } from '../../lib/mail/quota.ts'
import { createLimiter } from '../../http/rate-limits.ts'
import type { SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { sql } from '../../kernel/db.ts'

/** Maximum number of emails per hour that one administrator can cause about addresses of other companies. */
const EMAILS_PER_HOUR = 20

type Context = Pick<SignedIn, 'db' | 'actor'>
type Recipient = Pick<User, 'CognitoId' | 'Email'>

export interface PlainMail {
  to: string
  subject: string
  text: string
  html?: string
}

/** Assigns a person their address if the account of another company that had it no longer exists. */
export async function claimAddress({ CognitoId }: Pick<User, 'CognitoId'>, { db }: Context): Promise<void> {
  await db.query(sql`
    update users u set email = u.foreign_address, foreign_address = null
    where u.cognito_id = ${CognitoId}::uuid and u.foreign_address is not null
      and not exists (select from users o where o.email = u.foreign_address)`)
}

/** Whether a person's address belongs to the account of another company. */
export async function readIsForeign(
  { CognitoId }: Pick<User, 'CognitoId'>,
  { db }: Context,
): Promise<boolean> {
  const found = await db.query(sql`
    select 1 as one from users where cognito_id = ${CognitoId}::uuid and foreign_address is not null`)
  return found.length > 0
}

/** Email to the owner of an account whose address another company has entered. */
export async function composeForeign(
  { Email }: Pick<User, 'Email'>,
  { db, actor }: Context,
): Promise<PlainMail> {
  const [found] = await db.query<{ company: string; language: string | null }>(sql`
    select c.company_name as company, (select p.language from users u join personal_configs p using (cognito_id)
      where u.email = ${Email}) as language
    from companies c where c.tenant = ${actor.tenant}`)
  const { subject, lines } = TEXTS[found?.language === 'en-US' ? 'en-US' : 'zh-TW']
  return { to: Email, subject, text: lines(plainName(found?.company ?? '')).join('\n\n') }
}

/**
 * Notifies the owner of an account that a company added their address with an initial password. The company's response does not depend
 * on it: neither on a limit nor on a failing mail server.
 */
export function createForeignNotice({
  mail,
  log,
  clock,
  config,
}: Pick<Deps, 'mail' | 'log' | 'clock'> & { config: Pick<Deps['config'], 'mailQuota'> }) {
  const count = createLimiter({ perSecond: EMAILS_PER_HOUR / 3_600, burst: EMAILS_PER_HOUR }, clock)

  return async function notifyForeign(person: Recipient, { db, actor }: Context): Promise<void> {
    try {
      count(actor.cognitoId)
      await assertMailQuota(db, {
        tenant: actor.tenant,
        to: person.Email,
        now: clock.now(),
        quota: config.mailQuota,
      })
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'LIMIT_EXCEEDED') throw error
      log.warn({ tenant: actor.tenant }, 'email about an address not sent, limit exceeded')
      return
    }
    void mail
      .send(await composeForeign(person, { db, actor }))
      .catch((error: Error) =>
        log.error({ error: error.message }, 'email about an address could not be sent'),
      )
  }
}

const TEXTS: Record<Language, { subject: string; lines: (company: string) => string[] }> = {
  'zh-TW': {
    subject: '有公司邀請您的電子郵件地址',
    lines: (company) => [
      `「${company}」邀請此電子郵件地址使用該公司的智慧建築儀表板。`,
      '此地址已有另一家公司的帳號，因此無法加入該公司；您的帳號沒有任何變更，對方也不會得知您有帳號。',
      '若您也要加入該公司，請提供對方另一個電子郵件地址；若您不認識對方，請忽略此信。',
    ],
  },
  'en-US': {
    subject: 'A company has invited your email address',
    lines: (company) => [
      `${company} has invited this email address to its building dashboard.`,
      'The address already has an account with another company, so it cannot be used there. Your account is unchanged, and that company does not learn that you have one.',
      'To work there too, give them another address of yours. If you do not know them, ignore this message.',
    ],
  },
}
