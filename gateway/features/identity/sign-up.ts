import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { fieldErrors } from '../../../contract/kernel/envelope.ts'
import { Email, type Language, Name, Password } from '../../../contract/kernel/scalars.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { RequestCaller, SignUpInput } from '../../domain/identity/identity.ts'
import type { Clock, Log, Mail, Random } from '../../kernel/ports.ts'
import { isUniqueViolation } from '../../store/database-errors.ts'
import { sql, type Db } from '../../kernel/db.ts'
import { deriveKey, open, seal } from '../../lib/seal.ts'
import { sixDigits } from './codes.ts'
import type { SignUpAdmission } from './company-invitations.ts'
import type { KeyRing } from './keys.ts'
import type { Lockout } from './lockout.ts'
import { composeSignUpMail, composeTakenMail } from './emails.ts'
import { type Passwords, decryptPassword } from './passwords.ts'
import { findByEmail } from './people.ts'
import { asGatewayError, PoolError } from './pool-error.ts'
import type { AccessTrail } from './access-trail.ts'

const LIFE = 30 * 60_000
const CONTEXT = 'sign-up'

const Applicant = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  passwordHash: z.string(),
  companyName: z.string().optional(),
  invitation: z.string().optional(),
})
type Applicant = z.infer<typeof Applicant>

/** `code` is the digest of the emailed code; null for a registered address, for which no code is valid. */
const Pending = z.object({ applicant: Applicant, code: z.string().nullable(), until: z.number() })

/** State of a sign-up that the browser keeps until the code is entered: encrypted, so that the database stores nothing of strangers. */
function createSignUpSessions({ clock, secret }: { clock: Clock; secret: string | Uint8Array }) {
  const sealing = deriveKey(secret, 'sign-up session')
  const codeKey = deriveKey(secret, 'sign-up code')
  const digest = (email: string, code: string) =>
    createHmac('sha256', codeKey).update(`${email} ${code}`).digest('base64url')

  function read(session: string): z.infer<typeof Pending> | undefined {
    try {
      return Pending.parse(JSON.parse(open(sealing, Buffer.from(session, 'base64url'), CONTEXT).toString()))
    } catch {
      return undefined
    }
  }

  return {
    /** code  the emailed code; null if none completes this session */
    create(applicant: Applicant, code: string | null): string {
      const pending: z.infer<typeof Pending> = {
        applicant,
        code: code === null ? null : digest(applicant.email, code),
        until: clock.now() + LIFE,
      }
      return seal(sealing, JSON.stringify(pending), CONTEXT).toString('base64url')
    },

    /** Decrypts a session; undefined if it was not created here. */
    open(session: string) {
      const pending = read(session)
      if (!pending) return undefined
      const { applicant, code: kept, until } = pending
      return {
        applicant,
        isLate: until <= clock.now(),
        opens: (code: string): boolean =>
          kept !== null && timingSafeEqual(Buffer.from(digest(applicant.email, code)), Buffer.from(kept)),
      }
    },
  }
}

/** PostgreSQL stores no NUL. */
const storable = (text: string) => !text.includes('\0')
const PersonName = z.string().trim().min(1, 'required').max(64, 'tooLong').refine(storable, 'invalid')
const Application = z.object({
  Email: Email.refine(storable, 'invalid'),
  Password,
  FirstName: PersonName,
  LastName: PersonName,
  CompanyName: Name.refine(storable, 'invalid').optional(),
})

const tooMany = () => new PoolError('LimitExceededException', 'Too many sign-ups, try again later')
const wrongCode = () =>
  new PoolError('CodeMismatchException', 'Invalid verification code provided, please try again.')
const refusals = { account: tooMany, address: tooMany }

interface Founder {
  tenant: string
  cognitoId: string
}

/** Maps errors to those of the sign-up calls. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new GatewayError('CONFLICT', 'This address cannot be used to sign up', { Email: 'unavailable' })
    throw asGatewayError(error, { code: 'ConfirmationCode', next: 'Password' })
  }
}

/**
 * Creates a company with its owner in one transaction. If email is configured, the owner first confirms the address with an emailed
 * code, and responses do not reveal whether an address is registered.
 */
export function createSignUp(parts: {
  db: Db
  clock: Clock
  random: Random
  mail: Mail
  log: Log
  secret: string | Uint8Array
  keys: KeyRing
  passwords: Passwords
  lockout: Lockout
  admission: SignUpAdmission
  trail: AccessTrail
}) {
  const { db, clock, random, mail, log, keys, passwords, lockout, admission, trail } = parts
  const sessions = createSignUpSessions(parts)
  const running = new Set<Promise<void>>()

  async function found(applicant: Applicant, isVerified: boolean, caller: RequestCaller): Promise<Founder> {
    const { email, firstName, lastName, passwordHash } = applicant
    const id = random.uuid()
    const company =
      applicant.companyName ?? displayName({ FirstName: firstName, LastName: lastName, Email: email })
    await db.transaction(async (tx) => {
      const now = clock.now()
      await admission.admit(tx, { email, invitation: applicant.invitation })
      await tx.query(
        sql`insert into companies (tenant, company_name, created_at) values (${id}::uuid, ${company}, ${now})`,
      )
      await tx.query(sql`
        insert into users (tenant, cognito_id, email, email_verified, first_name, last_name, created_at)
        values (${id}::uuid, ${id}::uuid, ${email}, ${isVerified}, ${firstName}, ${lastName}, ${now})`)
      await tx.query(sql`
        insert into credentials (tenant, cognito_id, password_hash, password_changed_at)
        values (${id}::uuid, ${id}::uuid, ${passwordHash}, ${now})`)
      await trail.record('UserSignUp', id, caller, tx)
    })
    return { tenant: id, cognitoId: id }
  }

  async function applicantOf(input: SignUpInput): Promise<Applicant> {
    const parsed = Application.safeParse({
      Email: input.email,
      Password: await decryptPassword(input.passwordJwe, keys),
      FirstName: input.firstName,
      LastName: input.lastName,
      CompanyName: input.companyName,
    })
    if (!parsed.success)
      throw new GatewayError('INVALID', 'The sign-up is not valid', fieldErrors(parsed.error))
    const { Email: email, Password: password, FirstName: firstName, LastName: lastName } = parsed.data
    const { CompanyName: companyName } = parsed.data
    const { invitation } = input
    await admission.require({ email, invitation })
    const passwordHash = await passwords.hash(password)
    return { email, firstName, lastName, passwordHash, companyName, invitation }
  }

  /** Emails a code, or a notice if the address is registered; returns a session that the code completes. */
  async function ask(applicant: Applicant, language: Language, caller: RequestCaller): Promise<string> {
    const { email } = applicant
    await lockout.begin('sign-up-mail', { account: email, address: caller.address }, refusals)
    const isTaken = (await findByEmail(db, email)) !== undefined
    const code = sixDigits(random)
    const sending = mail
      .send(isTaken ? composeTakenMail(email, language) : composeSignUpMail(email, code, language))
      .catch((error: Error) => log.error({ error: error.message }, 'sign-up code not sent'))
      .finally(() => running.delete(sending))
    running.add(sending)
    return sessions.create(applicant, isTaken ? null : code)
  }

  return {
    /**
     * Creates the company or, if email is configured, returns the session that the emailed code completes.
     *
     * errors  INVALID with fields; CONFLICT if the address is registered or not invited; LIMIT_EXCEEDED
     */
    signUp: (input: SignUpInput, caller: RequestCaller): Promise<{ session?: string }> =>
      inWords(async () => {
        await lockout.begin('sign-up', { address: caller.address }, refusals)
        const applicant = await applicantOf(input)
        if (mail.isDelivered) return { session: await ask(applicant, input.language, caller) }
        await found(applicant, false, caller)
        return {}
      }),

    /**
     * Creates the company of a session with the emailed code.
     *
     * errors  INVALID for a wrong or expired code; CONFLICT if the address has been registered meanwhile; LIMIT_EXCEEDED
     */
    confirm: (session: string, code: string, caller: RequestCaller): Promise<Founder> =>
      inWords(async () => {
        const pending = sessions.open(session)
        if (!pending) throw wrongCode()
        const attempter = { account: pending.applicant.email, address: caller.address }
        const attempt = await lockout.begin('sign-up-code', attempter, refusals)
        if (!pending.opens(code)) throw wrongCode()
        if (pending.isLate)
          throw new PoolError('ExpiredCodeException', 'Invalid code provided, please sign up again.')
        const account = await found(pending.applicant, true, caller)
        await attempt.recordSuccess()
        return account
      }),

    /** Resolves when no email is pending. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
