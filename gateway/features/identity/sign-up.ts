import { compactDecrypt, errors } from 'jose'
import { z } from 'zod'
import { fieldErrors } from '../../../contract/kernel/envelope.ts'
import { Email, Password } from '../../../contract/kernel/scalars.ts'
import { displayName } from '../../../contract/rules/access/display-name.ts'
import { GatewayError } from '../../errors.ts'
import type { Clock, Random } from '../../ports.ts'
import { isUniqueViolation, sql, type Db } from '../../store/db.ts'
import type { Caller } from '../../lib/identity.ts'
import type { KeyRing } from './keys.ts'
import type { Lockout } from './lockout.ts'
import type { Passwords } from './passwords.ts'
import { asGatewayError, PoolError } from './pool-error.ts'

/** PostgreSQL stores no NUL. */
const storable = (text: string) => !text.includes('\0')
const PersonName = z.string().trim().min(1, 'required').max(64, 'tooLong').refine(storable, 'invalid')
const Application = z.object({
  Email: Email.refine(storable, 'invalid'),
  Password,
  FirstName: PersonName,
  LastName: PersonName,
})

const tooMany = () => new PoolError('LimitExceededException', 'Too many sign-ups, try again later')

/**
 * Makes a company with its owner, all or nothing.
 *
 * passwordJwe  the password encrypted to the published sign-up key (ECDH-ES+A256KW, P-256)
 * errors       INVALID with fields; CONFLICT when the address is taken; LIMIT_EXCEEDED
 */
export function createSignUp({
  db,
  clock,
  random,
  keys,
  passwords,
  lockout,
}: {
  db: Db
  clock: Clock
  random: Random
  keys: KeyRing
  passwords: Passwords
  lockout: Lockout
}) {
  async function decrypt(jwe: string): Promise<string> {
    try {
      const { plaintext } = await compactDecrypt(
        jwe,
        async ({ kid }) => {
          const key = await keys.privateKey(kid)
          if (!key) throw new errors.JWEDecryptionFailed('unknown key')
          return key
        },
        {
          keyManagementAlgorithms: ['ECDH-ES', 'ECDH-ES+A256KW'],
          contentEncryptionAlgorithms: ['A256GCM', 'A128GCM'],
        },
      )
      return new TextDecoder().decode(plaintext)
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
      throw new GatewayError('INVALID', 'The password is not encrypted to the current key', {
        Password: 'encryption',
      })
    }
  }

  return async function signUp(
    input: { email: string; passwordJwe: string; firstName: string; lastName: string },
    caller: Caller,
  ): Promise<{ tenant: string; cognitoId: string }> {
    try {
      await lockout.begin('sign-up', { address: caller.address }, { account: tooMany, address: tooMany })
      const parsed = Application.safeParse({
        Email: input.email,
        Password: await decrypt(input.passwordJwe),
        FirstName: input.firstName,
        LastName: input.lastName,
      })
      if (!parsed.success)
        throw new GatewayError('INVALID', 'The sign-up is not valid', fieldErrors(parsed.error))
      const { Email: email, Password: password, ...names } = parsed.data
      const hash = await passwords.hash(password)
      const id = random.uuid()
      const company = displayName({ ...names, Email: email })
      await db.transaction(async (tx) => {
        const now = clock.now()
        await tx.query(
          sql`insert into companies (tenant, company_name, created_at) values (${id}::uuid, ${company}, ${now})`,
        )
        await tx.query(sql`
          insert into users (tenant, cognito_id, email, first_name, last_name, created_at)
          values (${id}::uuid, ${id}::uuid, ${email}, ${names.FirstName}, ${names.LastName}, ${now})`)
        await tx.query(sql`
          insert into credentials (tenant, cognito_id, password_hash, password_changed_at)
          values (${id}::uuid, ${id}::uuid, ${hash}, ${now})`)
      })
      return { tenant: id, cognitoId: id }
    } catch (error) {
      if (isUniqueViolation(error))
        throw new GatewayError('CONFLICT', 'This address cannot be used to sign up', { Email: 'unavailable' })
      throw asGatewayError(error)
    }
  }
}
