import { displayName } from '../../../contract/kernel/text.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { ADDRESS, hasAddress } from '../../lib/mail/address.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

/** One person of a company: the account, the employee record and the visits under one address. */
export interface Person {
  tenant: string
  email: string
  account: string | undefined
  /** Accounts under the same address that were deleted before. */
  formerAccounts: readonly string[]
  employee: { id: string; photoUrl: string | null } | undefined
  visits: readonly string[]
  /** Display names, former ones included. */
  names: readonly string[]
  phones: readonly string[]
}

interface Account {
  id: string
  Email: string
  FirstName: string
  LastName: string
  nickname: string
}

/** Key of the record that identifies a person. */
export type PersonKey = { account: string } | { employee: string } | { visit: string }

/**
 * Reads a person and locks their records until the transaction ends.
 *
 * errors    NOT_FOUND if there is no such record, or it no longer identifies anyone
 */
export async function readPerson(db: Db, tenant: string, key: PersonKey, lock: Sql): Promise<Person> {
  const email = await readEmail(db, tenant, key)
  if (!email) throw new GatewayError('NOT_FOUND', 'This person does not exist')
  const [account] = await db.query<Account>(sql`
    select cognito_id as id, ${ADDRESS} as "Email", first_name as "FirstName", last_name as "LastName", nickname
    from users u where u.tenant = ${tenant} and ${hasAddress(email)} ${lock}`)
  const [employee] = await db.query<{ id: string; name: string; photoUrl: string | null }>(sql`
    select employee_id as id, employee_name as name, photo_url as "photoUrl"
    from employees where tenant = ${tenant} and email = ${email} ${lock}`)
  const visits = await db.query<{ id: string; name: string; phone: string }>(sql`
    select visitor_id as id, visitor_name as name, phone
    from visitors where tenant = ${tenant} and email = ${email} order by visitor_id ${lock}`)
  const deleted = await db.query<{ record: Account & { CognitoId: string } }>(sql`
    select before as record from audit_log
    where tenant = ${tenant} and path = '/DeleteUser' and before ->> 'Email' = ${email}`)
  const formerAccounts = deleted.map(({ record }) => record.CognitoId)
  const accounts = [...(account ? [account.id] : []), ...formerAccounts]
  const former = await db.query<{ name: string }>(sql`
    select distinct by_name as name from audit_log
    where tenant = ${tenant} and cognito_id = any(${accounts}::uuid[])`)
  const names = [
    ...[...(account ? [account] : []), ...deleted.map(({ record }) => record)].flatMap(namesOf),
    ...former.map(({ name }) => name),
    ...(employee ? [employee.name] : []),
    ...visits.map(({ name }) => name),
  ].map((name) => name.trim())
  return {
    tenant,
    email,
    account: account?.id,
    formerAccounts,
    employee,
    visits: visits.map(({ id }) => id),
    names: [...new Set(names)].filter((name) => name !== '' && name !== email),
    phones: [...new Set(visits.map(({ phone }) => phone))].filter(Boolean),
  }
}

const namesOf = (account: Account): string[] => [
  displayName(account),
  account.nickname,
  `${account.FirstName} ${account.LastName}`,
]

async function readEmail(db: Db, tenant: string, key: PersonKey): Promise<string | undefined> {
  const select =
    'account' in key
      ? sql`select ${ADDRESS} as email from users u where cognito_id = ${key.account}::uuid and`
      : 'employee' in key
        ? sql`select email from employees where employee_id = ${key.employee} and`
        : sql`select email from visitors where visitor_id = ${key.visit} and`
  const [found] = await db.query<{ email: string }>(sql`${select} tenant = ${tenant}`)
  return found?.email
}

/** Ids of the person in other records. */
export const idsOf = ({ account, formerAccounts, employee, visits }: Person): string[] =>
  [account, ...formerAccounts, employee?.id, ...visits].filter((id) => id !== undefined)
