import {
  Refine,
  type NotificationProvider,
  type I18nProvider,
  type LiveEvent,
  type LiveProvider,
  type ResourceProps,
  type AuthProvider,
  type AccessControlProvider,
} from '@refinedev/core'
import routerProvider from '@refinedev/react-router'
import { Outlet } from 'react-router'
import { queryClient } from '../data/api.ts'
import { dataProvider } from './data.ts'
import { notices } from '../data/notices.ts'
import { changeLanguage, currentLanguage, hasText, isLanguage, t } from '../lib/i18n/i18n.ts'
import { dataChangeEvents } from '../live/data-changes.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import { paths, type PathName, type RecordPath, listPages, recordPages } from '../navigation/paths.ts'
import { displayName } from '../../contract/kernel/text.ts'
import { callErrorIn } from '../data/post.ts'
import { me, subjectOf } from '../data/session.ts'
import { signOut } from '../live/sign-out.ts'
import { tokens } from '../data/tokens.ts'
import { decide, right, type Access, type Operation, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import { accessOf } from '../../contract/kernel/define-endpoint.ts'
import type { Verb } from '../../contract/kernel/define-resource.ts'
import { describeRight } from '../data/failure.ts'
import { callOf, listCallOf } from './calls.ts'

/** Verbs of Refine's actions. */
const verbs: Record<string, Verb> = {
  list: 'list',
  show: 'list',
  create: 'create',
  clone: 'create',
  edit: 'update',
  delete: 'remove',
}
/** Actions without a call of the record. */
const operations: Record<string, Operation> = { export: 'Export', control: 'Control' }

/**
 * Accesses of which an action needs one: those of its call, or else the operation of §6 on the record's feature. If they depend on a field
 * of the input that is absent, all possible ones.
 */
function accessesTo(name: string, action: string, record: object | undefined): readonly Access[] {
  const resource = resources[name as ResourceName]
  const verb = verbs[action]
  const operation = operations[action]
  if (!resource) return []
  if (!verb) return operation ? [right(resource.feature, operation)] : []
  const endpoint = verb === 'list' ? listCallOf(name) : callOf(name, verb)
  if (!endpoint) return []
  const { accessBy } = endpoint
  if (accessBy && !(record && accessBy.field in record)) return Object.values(accessBy.rights)
  return [accessOf(endpoint, record)]
}

/** Applies the rights of calls to Refine's buttons and routes, by the policy of the contract. */
export const accessControlProvider: AccessControlProvider = {
  can({ resource, action, params }) {
    const accesses = accessesTo(resource ?? '', action, params?.['meta'] as object | undefined)
    const subject = subjectOf(me.get())
    const decisions = accesses.map((access) => decide(access, subject, SOMEWHERE))
    // A resource that is not a record is a page: the route's own guard decides.
    const [missing] = decisions.length === 0 || decisions.includes(true) ? [] : decisions
    return Promise.resolve(
      missing === undefined
        ? { can: true }
        : { can: false, ...(typeof missing === 'object' && { reason: describeRight(missing) }) },
    )
  },
  options: {
    buttons: { enableAccessControl: true, hideIfUnauthorized: true },
    // Computed locally: always fresh, also offline.
    queryOptions: { staleTime: 0, networkMode: 'always' },
  },
}

/** Session for Refine. The sign-in page, which signs users in, does not load Refine. */
const authProvider: AuthProvider = {
  login: async () => ({ success: (await tokens()) !== undefined }),
  async logout() {
    await signOut()
    return { success: true }
  },
  check: async () => ({ authenticated: (await tokens()) !== undefined }),
  async onError(error: unknown) {
    if (callErrorIn(error)?.failure === 'UNAUTHENTICATED') await signOut('expired')
    return {}
  },
  getPermissions: () => Promise.resolve(me.get()?.Permissions ?? []),
  getIdentity: () => {
    const person = me.get()
    return Promise.resolve(person && { id: person.CognitoId, name: displayName(person), email: person.Email })
  },
}

const pageOf = (name: ResourceName, as: RecordPath['as']): PathName | undefined =>
  recordPages.find((page) => paths[page].record?.name === name && paths[page].record?.as === as)

/** Refine's resources[]: every record of the contract with its pages. */
export const refineResources: ResourceProps[] = (Object.keys(resources) as ResourceName[]).map((name) => {
  const listPageOf: Partial<Record<ResourceName, PathName>> = listPages
  const pages = Object.entries({
    list: listPageOf[name] ?? pageOf(name, 'List'),
    create: pageOf(name, 'Create'),
    edit: pageOf(name, 'Edit'),
  })
  return {
    name,
    ...Object.fromEntries(pages.flatMap(([as, page]) => (page ? [[as, paths[page].patterns[0]]] : []))),
  }
})

const types: Record<string, LiveEvent['type']> = { add: 'created', update: 'updated', remove: 'deleted' }

/**
 * Forwards data-change events of the realtime channel to Refine, for forms that observe their record. Lists do not use it: the cache
 * invalidation refetches them.
 */
const liveProvider: LiveProvider = {
  subscribe: ({ channel, types: wantedTypes, callback }) =>
    dataChangeEvents.subscribe((change) => {
      const [entity, event] = change.name.split('.') as [string, string]
      const type = types[event]
      if (!type || channel !== `resources/${entity}`) return
      if (wantedTypes.includes('*') || wantedTypes.includes(type))
        callback({ channel, type, payload: { record: change.record }, date: new Date() })
    }),
  unsubscribe: (stop: () => void) => stop(),
}

/** Refine's own texts (notifications.…) are in `shell`; missing ones fall back to Refine's. */
const i18nProvider: I18nProvider = {
  translate(key: string, options?: unknown, fallback?: string) {
    const shellKey = `shell:${key}`
    if (hasText(shellKey))
      return t(shellKey, typeof options === 'object' ? (options as Record<string, string>) : {})
    return (typeof options === 'string' ? options : fallback) ?? key
  },
  changeLocale: (language: string) => (isLanguage(language) ? changeLanguage(language) : Promise.resolve()),
  getLocale: currentLanguage,
}

/** Refine's notifications as notices of the product: 2 s for a success, an error stays (§2). */
const notificationProvider: NotificationProvider = {
  open({ type, message, description }) {
    if (type === 'error') notices.error(() => description ?? message, message)
    else if (type === 'success') notices.success(() => description ?? message)
  },
  close() {},
}

/** Refine with our providers around the pages of records. Inside the router, whose address its hooks read. */
export function RefineFrame() {
  return (
    <Refine
      dataProvider={dataProvider}
      authProvider={authProvider}
      accessControlProvider={accessControlProvider}
      liveProvider={liveProvider}
      i18nProvider={i18nProvider}
      notificationProvider={notificationProvider}
      routerProvider={routerProvider}
      resources={refineResources}
      options={{ disableTelemetry: true, liveMode: 'off', reactQuery: { clientConfig: queryClient } }}
    >
      <Outlet />
    </Refine>
  )
}
