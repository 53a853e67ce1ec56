import { z } from 'zod'
import { FEATURES, OPERATIONS, right, may, SOMEWHERE, type PermissionSubject } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { CognitoId, DashboardID, DepartmentID, Name, Version } from '../kernel/scalars.ts'
import { Cards } from './cards.ts'

/** Maximum number of dashboards of one user, and of a company. */
export const MAX_DASHBOARDS_OF_PERSON = 30
export const MAX_DASHBOARDS = 200
/** Maximum number of departments that a dashboard is shared with. */
export const MAX_SHARED_DEPARTMENTS = 20
/** Maximum number of user names listed per missing right. */
export const MOST_NAMED = 10

/** Sharing of a dashboard beyond its owner. It grants no right to the content of the cards. */
export const Shared = z.object({
  DepartmentIDs: z.array(DepartmentID).max(MAX_SHARED_DEPARTMENTS, 'tooManyRows'),
  Everyone: z.boolean(),
  /** Whether these users may edit; this also requires dashboard Update. */
  May: z.enum(['view', 'edit']),
})
export type Shared = z.infer<typeof Shared>

export const UNSHARED: Shared = { DepartmentIDs: [], Everyone: false, May: 'view' }

/** Named board of cards, arranged by a user. */
export const Dashboard = z.object({
  DashboardID,
  Name,
  /** Creator; null once that user is deleted: then every user who sees it and has dashboard Update may change it. */
  OwnerID: CognitoId.nullable(),
  OwnerName: z.string().nullable(),
  Shared,
  Cards,
  Version,
})
export type Dashboard = z.infer<typeof Dashboard>

/** Dashboard in a list: number of cards instead of the cards. */
export const DashboardLine = Dashboard.omit({ Cards: true }).extend({ CardCount: z.number().int() })
export type DashboardLine = z.infer<typeof DashboardLine>

export const DashboardKey = Dashboard.pick({ DashboardID: true })

/** Every user with access to the dashboard page has dashboards there; changing shared ones requires Update, which the handlers check. */
const access = right('dashboard', 'Read')

const Given = Dashboard.pick({ Name: true }).extend({
  Shared: Shared.default(UNSHARED),
  Cards: Cards.default([]),
})

export const dashboard = defineResource({
  name: 'dashboard',
  scope: 'company',
  feature: 'dashboard',
  record: Dashboard,
  key: ['DashboardID'],
  events: eventsOf(DashboardKey),
  operations: {
    list: {
      path: '/ListDashboard',
      summary: 'Dashboards of the caller and those shared with the caller, by name, without their cards.',
      sites: 'none',
      input: z.object({}),
      results: z.array(DashboardLine),
      shows: ['department', 'user'],
    },
    get: {
      path: '/GetDashboard',
      summary: 'A dashboard of the caller, or one shared with the caller.',
      sites: 'mixed',
      input: DashboardKey,
      results: Dashboard,
      errors: ['NOT_FOUND'],
      shows: ['department', 'user'],
    },
    create: {
      path: '/CreateDashboard',
      summary:
        'Adds a dashboard of the caller. Sharing it also requires dashboard Update. At most 30 per person and 200 per company.',
      sites: 'mixed',
      input: Given,
      results: Dashboard,
      access,
      errors: ['NOT_FOUND', 'LIMIT_EXCEEDED', 'PERMISSION_DENIED'],
    },
    update: {
      path: '/UpdateDashboard',
      summary:
        'Changes a dashboard of the caller, or one shared for editing; omitted fields keep their values. Also requires dashboard Update if others can see it afterwards, and for dashboards of other users. Only its owner can change whom it is shared with. Rejected if Version is given and outdated.',
      sites: 'mixed',
      input: DashboardKey.extend(
        Dashboard.pick({ Name: true, Shared: true, Cards: true }).partial().shape,
      ).extend({ Version: Version.optional() }),
      results: Dashboard,
      access,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
    },
    remove: {
      path: '/DeleteDashboard',
      summary:
        'Deletes a dashboard of the caller, or one shared for editing; those of other users also require dashboard Update.',
      sites: 'none',
      input: DashboardKey,
      results: DashboardKey,
      access,
      errors: ['NOT_FOUND', 'PERMISSION_DENIED'],
    },
  },
})

/** Calls of a dashboard in addition to the CRUD ones. */
export const dashboardCalls = {
  checkSharing: defineEndpoint({
    path: '/CheckDashboardSharing',
    summary:
      'Preview of sharing a dashboard: number of users who would see it, and rights that they lack for its cards.',
    access: right('dashboard', 'Update'),
    sites: 'mixed',
    input: DashboardKey.extend({ Shared }),
    results: z.object({
      /** Number of users other than the caller. */
      People: z.number().int(),
      /** Rights that some of them lack, most frequently lacking first. dashboard Read is lacking for the page itself. */
      Missing: z.array(
        z.object({
          feature: z.enum(FEATURES),
          operation: z.enum(OPERATIONS),
          /** CardIDs that show nothing without it. */
          CardIDs: z.array(z.string()),
          Count: z.number().int(),
          /** First few names of these users; empty if the caller may not read users. */
          Names: z.array(z.string()).max(MOST_NAMED),
        }),
      ),
    }),
    errors: ['NOT_FOUND'],
    shows: ['dashboard', 'user', 'department'],
  }),
}

/** Whether users other than the owner see a dashboard. */
export const isShared = ({ Everyone, DepartmentIDs }: Shared): boolean => Everyone || DepartmentIDs.length > 0

interface GrantedRights {
  OwnerID: string | null
  Shared: Shared
}

/** Whether a user owns a dashboard, or its owner was deleted. */
export const isMine = ({ OwnerID }: GrantedRights, cognitoId: string): boolean =>
  OwnerID === null || OwnerID === cognitoId

/** Whether a user who sees a dashboard may change its name and cards: a shared one requires dashboard Update. */
export function mayChange(board: GrantedRights, subject: PermissionSubject, cognitoId: string): boolean {
  const isOwn = board.OwnerID === cognitoId
  if (isOwn && !isShared(board.Shared)) return true
  if (!isMine(board, cognitoId) && board.Shared.May !== 'edit') return false
  return may(subject, 'dashboard', 'Update', SOMEWHERE)
}

/** Whether a user who sees a dashboard may delete it; the owner always may. */
export const mayDelete = (board: GrantedRights, subject: PermissionSubject, cognitoId: string): boolean =>
  board.OwnerID === cognitoId || mayChange(board, subject, cognitoId)
