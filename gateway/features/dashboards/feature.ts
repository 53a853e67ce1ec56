import type { Feature } from '../../kernel/feature.ts'
import { dashboardHandlers, findDashboard } from './dashboard.ts'
import {
  may,
  type PermissionSubject,
  right,
  type Right,
  SOMEWHERE,
} from '../../../contract/kernel/permissions.ts'
import { MOST_NAMED, type dashboardCalls, type Shared } from '../../../contract/dashboards/dashboard.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { rightsOfCard, type Card } from '../../../contract/dashboards/cards.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { SUBJECT_COLUMNS } from '../../domain/identity/subject.ts'
import { sql } from '../../kernel/db.ts'

interface Reader extends PermissionSubject {
  cognitoId: string
  FirstName: string
  LastName: string
  nickname: string
}

const dashboardCallHandlers: HandlersOf<typeof dashboardCalls> = {
  checkSharing: async ({ DashboardID, Shared }, context) => {
    const { Cards } = await findDashboard(DashboardID, context)
    const readers = await readReaders(Shared, context)
    const Missing = rightsOf(Cards).flatMap(({ needed, CardIDs }) => {
      const readersWithout = readers.filter(
        (reader) => !may(reader, needed.feature, needed.operation, SOMEWHERE),
      )
      // Names need the right to read people. The email address is not shown as a name here.
      const named = may(context.actor, 'user', 'Read', SOMEWHERE) ? readersWithout : []
      const names = named.map((person) => displayName({ ...person, Email: '' })).filter(Boolean)
      return readersWithout.length === 0
        ? []
        : [{ ...needed, CardIDs, Count: readersWithout.length, Names: names.slice(0, MOST_NAMED) }]
    })
    return { People: readers.length, Missing: Missing.toSorted((a, b) => b.Count - a.Count) }
  },
}

/** Rights that the page or its cards need, with the cards. */
function rightsOf(cards: readonly Card[]): { needed: Right; CardIDs: string[] }[] {
  const page = right('dashboard', 'Read')
  const found = new Map([
    [JSON.stringify(page), { needed: page, CardIDs: cards.map(({ CardID }) => CardID) }],
  ])
  for (const card of cards)
    for (const needed of rightsOfCard(card)) {
      const key = JSON.stringify(needed)
      const entry = found.get(key) ?? { needed, CardIDs: [] }
      entry.CardIDs.push(card.CardID)
      found.set(key, entry)
    }
  return [...found.values()]
}

/** Enabled people, by name, who would see it in addition to the caller. */
const readReaders = ({ Everyone, DepartmentIDs }: Shared, { db, actor }: SignedIn): Promise<Reader[]> =>
  db.query<Reader>(sql`
    select cognito_id as "cognitoId", first_name as "FirstName", last_name as "LastName", nickname, ${SUBJECT_COLUMNS}
    from users u where tenant = ${actor.tenant} and enabled and cognito_id <> ${actor.cognitoId}::uuid
      and (${Everyone} or department_id = any(${[...DepartmentIDs]}::text[]))
    order by lower(last_name || first_name), cognito_id`)

export const dashboards = () =>
  ({ handlers: { dashboard: { ...dashboardHandlers, ...dashboardCallHandlers } } }) satisfies Feature
