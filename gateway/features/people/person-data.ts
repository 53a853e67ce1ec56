import { may, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import type { personData } from '../../../contract/people/person-data-calls.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import type { Deps } from '../deps.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { erasePerson } from '../../domain/person-data/erase.ts'
import { exportPerson } from '../../domain/person-data/export.ts'
import { type Person, type PersonKey, readPerson } from '../../domain/person-data/person.ts'
import { empty, sql } from '../../kernel/db.ts'
import type { PeoplePorts } from './ports.ts'
import { assertNotStronger } from './granted-rights.ts'
import { lockUser } from './user.ts'

/** Export and erasure of one person's data. */
export const personDataHandlers = ({
  identity,
  transferOwnership,
  onOwnerDeleted,
  photoAddressOf,
}: Pick<Deps, 'identity'> & PeoplePorts): HandlersOf<typeof personData> => {
  const exportOtherPerson = async (key: PersonKey, context: SignedIn) => {
    const { db, actor, clock } = context
    // The export includes audit rows, which need this right.
    assertMay(actor, 'company', 'Control')
    const person = await readPerson(db, actor.tenant, key, empty)
    if (person.account) assertNotStronger(actor, await lockUser(person.email, context))
    return exportPerson(db, person, { caller: actor, now: clock.now(), photoAddressOf })
  }

  return {
    exportMyData: async (_, { db, actor, clock }) => {
      const person = await readPerson(db, actor.tenant, { account: actor.cognitoId }, empty)
      return exportPerson(db, person, { caller: actor, now: clock.now(), photoAddressOf })
    },
    exportUserData: ({ CognitoId }, context) => exportOtherPerson({ account: CognitoId }, context),
    exportEmployeeData: ({ EmployeeID }, context) => exportOtherPerson({ employee: EmployeeID }, context),
    exportVisitorData: ({ VisitorID }, context) => exportOtherPerson({ visit: VisitorID }, context),

    eraseUserData: async ({ CognitoId, Confirmation }, context) => {
      const { db, actor } = context
      const person = await readConfirmed({ account: CognitoId }, Confirmation, context)
      const account = await lockUser(person.email, context)
      if (CognitoId === actor.tenant)
        throw new GatewayError('CONFLICT', 'The owner cannot be erased', { CognitoId: 'owner' })
      if (CognitoId === actor.cognitoId)
        throw new GatewayError('CONFLICT', 'Nobody erases themselves', { CognitoId: 'self' })
      assertNotStronger(actor, account)
      if (person.employee) assertMay(actor, 'access_control_employee', 'Delete')
      if (person.visits.length) assertMay(actor, 'access_control_visitor', 'Delete')
      await transferOwnership(context, CognitoId, undefined)
      await onOwnerDeleted(context, CognitoId)
      await identity.removeCredentials(CognitoId, db)
      const pseudonym = await erasePerson(person, context)
      await db.query(
        sql`delete from users where tenant = ${actor.tenant} and cognito_id = ${CognitoId}::uuid`,
      )
      context.change('user.remove', { Email: person.email })
      context.emit('personChanged', { tenant: actor.tenant, cognitoId: CognitoId, change: 'revoked' })
      context.audit({ input: { CognitoId }, after: { Pseudonym: pseudonym.name } })
      return { Pseudonym: pseudonym.name }
    },

    eraseEmployeeData: async ({ EmployeeID, Confirmation }, context) => {
      const person = await readConfirmed({ employee: EmployeeID }, Confirmation, context)
      if (person.account) throw erasedWithAccount('EmployeeID')
      if (person.visits.length) assertMay(context.actor, 'access_control_visitor', 'Delete')
      const pseudonym = await erasePerson(person, context)
      context.audit({ input: { EmployeeID }, after: { Pseudonym: pseudonym.name } })
      return { Pseudonym: pseudonym.name }
    },

    eraseVisitorData: async ({ VisitorID, Confirmation }, context) => {
      const person = await readConfirmed({ visit: VisitorID }, Confirmation, context)
      if (person.account || person.employee) throw erasedWithAccount('VisitorID')
      const pseudonym = await erasePerson(person, context)
      context.audit({ input: { VisitorID }, after: { Pseudonym: pseudonym.name } })
      return { Pseudonym: pseudonym.name }
    },
  }
}

/** Error for erasing one of several records of a person: the others would keep the address. */
const erasedWithAccount = (field: string) =>
  new GatewayError('CONFLICT', 'This person has another record here; erase that one', {
    [field]: 'hasAccount',
  })

/** Reads and locks a person if `confirmation` is their address or name. Errors: NOT_FOUND, CONFLICT, INVALID. */
async function readConfirmed(key: PersonKey, confirmation: string, context: SignedIn): Promise<Person> {
  const { db, actor } = context
  const person = await readPerson(db, actor.tenant, key, sql`for update`)
  const accepted = [person.email, ...person.names].map((text) => text.toLowerCase())
  if (!accepted.includes(confirmation.toLowerCase()))
    throw new GatewayError('INVALID', 'The confirmation is not the address or name of this person', {
      Confirmation: 'confirmation',
    })
  const visitsInside =
    await db.query(sql`select from visitors where tenant = ${actor.tenant} and visitor_id = any(${[...person.visits]}::text[])
    and checked_in_at is not null and checked_out_at is null and away_at is null`)
  if (visitsInside.length)
    throw new GatewayError('CONFLICT', 'This visitor is still inside', { Confirmation: 'inside' })
  return person
}

function assertMay(
  actor: SignedIn['actor'],
  ...[feature, operation]: [Parameters<typeof may>[1], Parameters<typeof may>[2]]
): void {
  if (!may(actor, feature, operation, SOMEWHERE))
    throw new GatewayError('PERMISSION_DENIED', `This needs the right ${feature} ${operation}`)
}
