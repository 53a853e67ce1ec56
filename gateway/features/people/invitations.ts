import { type invitations } from '../../../contract/people/invitation-calls.ts'
import { PERMISSION_TEMPLATES } from '../../../contract/people/permission-templates.ts'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { User } from '../../../contract/people/user.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { createLimiter } from '../../http/rate-limits.ts'
import { hasAddress, ADDRESS, plainName } from '../../lib/mail/address.ts'
import { assertMailQuota } from '../../lib/mail/quota.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { escapeHtml } from '../../lib/escape-html.ts'
import { DEFAULT_PERSONAL_CONFIG } from '../../../contract/people/personal-calls.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { Identity } from '../../domain/identity/identity.ts'
import { claimAddress, composeForeign, readIsForeign, type PlainMail } from './foreign-address.ts'
import { lockUser, lockDepartment, insertPerson, NEW_PERSON } from './user.ts'
import { assertGrantable, assertNotStronger, normalizePermissions } from './granted-rights.ts'

/** Error for an invitation that was revoked concurrently; same as for one that never existed. */
const invalidInvitation = () =>
  new GatewayError('NOT_FOUND', 'This invitation is not valid, was used or has expired')

/** Calls of an invited person who is not signed in yet. */
const acceptHandlers = (
  identity: Pick<Identity, 'readInvitation' | 'acceptInvitation' | 'loadActor'>,
): HandlersOf<Pick<typeof invitations, 'readInvitation' | 'acceptInvitation'>> => ({
  readInvitation: async ({ Token }, { db }) => {
    const { tenant, cognitoId, invitedBy, language } = await identity.readInvitation(Token, db)
    const [found] = await db.query<{ company: string; email: string; first: string; last: string }>(sql`
      select c.company_name as company, ${ADDRESS} as email, u.first_name as first, u.last_name as last
      from users u join companies c using (tenant) where u.cognito_id = ${cognitoId}::uuid and u.tenant = ${tenant}::uuid`)
    if (!found) throw invalidInvitation()
    return {
      CompanyName: found.company,
      InvitedBy: invitedBy ? await readName(invitedBy, db) : '',
      MaskedEmail: found.email.replace(/^(.)[^@]*/u, '$1•••'),
      FirstName: found.first,
      LastName: found.last,
      Language: language,
    }
  },

  acceptInvitation: async ({ Token, Password, FirstName, LastName, Language }, context) => {
    const { db } = context
    const { tenant, cognitoId, language } = await identity.acceptInvitation(
      { token: Token, passwordJwe: Password },
      db,
    )
    await db.query(sql`
      update users set first_name = ${FirstName}, last_name = ${LastName}, version = version + 1
      where cognito_id = ${cognitoId}::uuid`)
    const config = DEFAULT_PERSONAL_CONFIG
    await db.query(sql`
      insert into personal_configs (tenant, cognito_id, notification, custom_dashboard, decimal_precision, language)
      values (${tenant}::uuid, ${cognitoId}::uuid, ${config.Notification}, ${config.CustomDashboard},
        ${config.DecimalPrecision}, ${Language ?? language}) on conflict do nothing`)
    const actor = await identity.loadActor(cognitoId)
    if (!actor) throw invalidInvitation()
    context.actFor(actor)
    const after = await lockUser(actor.email, { ...context, actor })
    context.change('user.update', after)
    context.emit('personChanged', { tenant, cognitoId, change: 'profile' })
    context.audit({ after })
    return { Email: actor.email }
  },
})

/** Name of a person as colleagues see it; empty without one. */
async function readName(cognitoId: string, db: Db): Promise<string> {
  const [person] = await db.query<Pick<User, 'FirstName' | 'LastName' | 'nickname'>>(sql`
    select first_name as "FirstName", last_name as "LastName", nickname from users where cognito_id = ${cognitoId}::uuid`)
  return person ? displayName({ ...person, Email: '' }) : ''
}

const TEXTS = {
  'zh-TW': {
    subject: (company: string) => `邀請您加入「${company}」`,
    by: (company: string, inviter: string) =>
      `${inviter ? `${inviter} 邀請您使用` : '邀請您使用'}「${company}」的智慧建築儀表板。請在 7 天內開啟此連結並設定密碼：`,
    note: '連結只能使用一次。若您不認識寄件者，請忽略此信；在您設定密碼之前，無人能以此地址登入。',
  },
  'en-US': {
    subject: (company: string) => `Invitation to ${company}`,
    by: (company: string, inviter: string) =>
      `${inviter ? `${inviter} invites you` : 'You are invited'} to the building dashboard of ${company}. Open this link within 7 days and choose a password:`,
    note: 'The link works once. If you do not know who sent it, ignore this message: until you choose a password, no one can sign in with this address.',
  },
}

/**
 * Email that invites a person, in their language.
 *
 * company, who  as entered by users; `inviter` is empty for an inviter without a name
 */
function composeInvitation(
  to: string,
  {
    company,
    inviter,
    link,
    language,
  }: { company: string; inviter: string; link: string; language: Language },
): PlainMail {
  const { subject, by, note } = TEXTS[language]
  const name = plainName(company)
  const lines = [by(name, inviter && plainName(inviter)), link, note]
  const inHtml = (line: string) =>
    line === link
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
      : `<p>${escapeHtml(line)}</p>`
  return {
    to,
    subject: subject(name),
    text: lines.join('\n\n'),
    html: `<div lang="${language}">${lines.map(inHtml).join('')}</div>`,
  }
}

/** Maximum number of invitations per hour: by one administrator, and to one address. */
const SENDER_LIMIT_PER_HOUR = 100
const RECIPIENT_LIMIT_PER_HOUR = 10
const perHour = (count: number) => ({ perSecond: count / 3_600, burst: count })

/** Invitations, whose recipients choose their own password. */
export function invitationHandlers(
  deps: Pick<Deps, 'identity' | 'mail' | 'log' | 'clock'> & {
    config: Pick<Deps['config'], 'mailQuota'>
  },
): HandlersOf<typeof invitations> {
  const { identity, clock } = deps
  const countSender = createLimiter(perHour(SENDER_LIMIT_PER_HOUR), clock)
  const countRecipient = createLimiter(perHour(RECIPIENT_LIMIT_PER_HOUR), clock)
  const assertWithinLimits = (email: string, { actor }: SignedIn) => {
    countSender(actor.cognitoId)
    countRecipient(email)
  }

  return {
    inviteUser: async ({ Template, Language, Permissions, ...input }, context) => {
      const { db, actor, random } = context
      const record: User = { CognitoId: random.uuid(), ...NEW_PERSON, ...input }
      record.Permissions = normalizePermissions([...(Permissions ?? PERMISSION_TEMPLATES[Template])])
      assertGrantable(actor, NEW_PERSON, record)
      assertWithinLimits(record.Email, context)
      await lockDepartment(db, actor.tenant, record.DepartmentID)
      await assertNotInvited(record.Email, context)
      await insertPerson(record, context)
      const sent = await send(record, Language, context, deps)
      const after = { ...record, InvitedUntil: sent.ExpiresAt }
      context.change('user.add', after)
      context.audit({ after })
      return sent
    },

    resendInvitation: async ({ Email }, context) => {
      const before = await lockInvited(Email, context)
      // Without email, the link is in the response, and with it the person's rights.
      assertNotStronger(context.actor, before)
      if (!before.enabled)
        throw new GatewayError('CONFLICT', 'This person is disabled', { Email: 'disabled' })
      assertWithinLimits(Email, context)
      await claimAddress(before, context)
      const [stored] = await context.db.query<{ language: Language }>(
        sql`select language from invitations where cognito_id = ${before.CognitoId}::uuid`,
      )
      const sent = await send(before, stored?.language ?? 'zh-TW', context, deps)
      const after = { ...before, InvitedUntil: sent.ExpiresAt }
      context.change('user.update', after)
      context.audit({ before, after })
      return sent
    },

    revokeInvitation: async ({ Email }, context) => {
      const { db, actor } = context
      const before = await lockInvited(Email, context)
      assertNotStronger(actor, before)
      await db.query(
        sql`delete from users where tenant = ${actor.tenant} and cognito_id = ${before.CognitoId}`,
      )
      context.change('user.remove', { Email })
      context.audit({ before })
      return { Email }
    },

    ...acceptHandlers(identity),
  }
}

type DeliveryDeps = Pick<Deps, 'identity' | 'mail' | 'log' | 'clock'> & {
  config: Pick<Deps['config'], 'mailQuota'>
}

/** Creates a new link and emails it; without email, the link is in the response. Errors: UNAVAILABLE, LIMIT_EXCEEDED. */
async function send(person: User, language: Language, context: SignedIn, deps: DeliveryDeps) {
  const { db, actor } = context
  const { identity, mail, clock, config } = deps
  const { link, expiresAt } = await identity.invite(
    {
      tenant: actor.tenant,
      cognitoId: person.CognitoId,
      invitedBy: actor.cognitoId,
      language,
      mailed: mail.isDelivered,
    },
    db,
  )
  const result = { CognitoId: person.CognitoId, ExpiresAt: expiresAt, Sent: mail.isDelivered }
  if (!mail.isDelivered) return { ...result, Link: link }
  await assertMailQuota(db, {
    tenant: actor.tenant,
    to: person.Email,
    now: clock.now(),
    quota: config.mailQuota,
  })
  if (await readIsForeign(person, context)) {
    await deliver(await composeForeign(person, context), deps)
    return result
  }
  const [company] = await db.query<{ name: string }>(
    sql`select company_name as name from companies where tenant = ${actor.tenant}`,
  )
  const inviter = await readName(actor.cognitoId, db)
  await deliver(
    composeInvitation(person.Email, { company: company?.name ?? '', inviter, link, language }),
    deps,
  )
  return result
}

/**
 * Sends an email; fails with the same error for any email, so that it does not reveal addresses of other companies. Errors: UNAVAILABLE.
 */
async function deliver(message: PlainMail, { mail, log }: Pick<Deps, 'mail' | 'log'>): Promise<void> {
  try {
    await mail.send(message)
  } catch (error) {
    log.error({ error: (error as Error).message }, 'invitation not sent')
    throw new GatewayError('UNAVAILABLE', 'The mail could not be sent')
  }
}

/** Errors: CONFLICT if the address has an invitation of this company. */
async function assertNotInvited(email: string, { db, actor }: SignedIn): Promise<void> {
  const invited = await db.query(sql`
    select 1 as one from users u join invitations i using (cognito_id)
    where u.tenant = ${actor.tenant} and ${hasAddress(email)}`)
  if (invited.length)
    throw new GatewayError('CONFLICT', 'This person has an invitation already', { Email: 'invited' })
}

/** Reads and locks a person with an open invitation. Errors: NOT_FOUND, also for members of the company. */
async function lockInvited(email: string, context: SignedIn): Promise<User> {
  const person = await lockUser(email, context)
  if (person.InvitedUntil === null)
    throw new GatewayError('NOT_FOUND', `${email} has no invitation that waits`)
  return person
}
