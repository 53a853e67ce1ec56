import { createHash } from 'node:crypto'
import type { Subject } from '../../../contract/features.ts'
import { createInOrder } from '../../lib/in-order.ts'
import type { Clock, Log } from '../../ports.ts'
import { rightsOfHub, rightsOfScreen, type DynamicSecurity } from './dynamic-security.ts'
import type { BrokerHooks, ScreenClient, ThingClient } from '../port.ts'

/** Between two comparisons of the broker's accounts with the database, and before one that failed is repeated. */
const COMPARE = 10 * 60 * 1000
const COMPARE_AGAIN = 5_000
/** Accounts in one answer of the broker. */
const PAGE = 500
const SCREEN = 'screen:'
const EXISTS = ['Client already exists', 'Role already exists']
const GONE = ['Client not found', 'Role not found']

/** An account as the broker lists it. */
interface Account {
  username: string
  disabled?: boolean
  roles?: { rolename: string }[]
}

/** What a screen's account says of the rights it was made with: other rights, another text. */
const markOf = ({ isRoot, permissions }: Subject): string =>
  digest(JSON.stringify([isRoot, isRoot || permissions]))
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12)

/** The name of a screen's account, from which its end and its sign-in are known without asking anybody. */
const nameOfScreen = (
  { cognitoId, sessionId = '', subject }: ScreenClient,
  expiresAt: number,
  clientId: string,
) => `${SCREEN}${cognitoId}:${expiresAt}:${markOf(subject)}:${digest(sessionId)}:${clientId.slice(-16)}`

/** A person, or some of their sign-ins. */
type Person = { cognitoId: string; sessions?: readonly string[] }
const isOf = ({ cognitoId, sessions }: Person, username: string): boolean => {
  const [, person, , , session] = username.split(':')
  return (
    username.startsWith(SCREEN) &&
    person === cognitoId &&
    (sessions === undefined || sessions.some((id) => digest(id) === session))
  )
}

/**
 * The accounts of hubs and screens in an outside broker. A change that cannot be made now, because the broker is away, is made
 * by the next comparison with the database: after each connection, and every ten minutes.
 */
export function createBrokerAccounts({
  commands,
  hooks,
  connected,
  clock,
  log,
}: {
  commands: DynamicSecurity
  hooks: BrokerHooks
  /** Whether messages flow; a connection that comes back asks for a comparison. */
  connected(): boolean
  clock: Clock
  log: Log
}) {
  const database = hooks.accounts
  /** Changes of one account go one after the other. */
  const inOrder = createInOrder()
  /** People and hubs whose connections could not be ended. */
  const lingering = { people: new Set<Person>(), hubs: new Set<string>() }
  let comparing: Promise<void> = Promise.resolve()
  let cancelComparing = () => {}
  let closed = false

  async function removeAccount(username: string) {
    // Disabling ends the connections at once.
    await commands.run({ command: 'disableClient', username }, GONE)
    await commands.run({ command: 'deleteClient', username }, GONE)
    await commands.run({ command: 'deleteRole', rolename: username }, GONE)
  }

  async function listAccounts(): Promise<Account[]> {
    const accounts: Account[] = []
    for (;;) {
      const page = { verbose: true, count: PAGE, offset: accounts.length }
      const { clients = [] } = await commands.run({ command: 'listClients', ...page })
      accounts.push(...(clients as Account[]))
      if ((clients as Account[]).length < PAGE) return accounts
    }
  }

  /** What a person has been given to connect with. */
  async function removeScreens(person: Person, accounts: readonly Account[]) {
    for (const { username } of accounts) if (isOf(person, username)) await removeAccount(username)
  }

  /** Makes the broker's accounts what the database says; the broker is asked first, so that nobody new is taken for gone. */
  async function compare() {
    const accounts = await listAccounts()
    for (const person of lingering.people) {
      await removeScreens(person, accounts)
      lingering.people.delete(person)
    }
    await compareScreens(accounts.map(({ username }) => username).filter((name) => name.startsWith(SCREEN)))
    // An account whose role bears its own name is one the gateway made.
    await compareHubs(
      accounts.filter(
        ({ username, roles = [] }) =>
          !username.startsWith(SCREEN) && roles.some(({ rolename }) => rolename === username),
      ),
    )
  }

  /** Screens whose time or sign-in is over, and those of people who are gone or have other rights now. */
  async function compareScreens(usernames: readonly string[]) {
    const personOf = (username: string) => username.split(':')[1] as string
    const cognitoIds = [...new Set(usernames.map(personOf))]
    const people = await database?.people(cognitoIds)
    const sessions = await hooks.sessionsOf?.(cognitoIds)
    for (const username of usernames) {
      const [, cognitoId = '', expiresAt, mark, session] = username.split(':')
      const person = people?.get(cognitoId)
      const stands =
        (people === undefined || (person !== undefined && markOf(person) === mark)) &&
        (sessions === undefined || sessions.get(cognitoId)?.some((id) => digest(id) === session))
      if (!stands || Number(expiresAt) <= clock.now()) await removeAccount(username)
    }
  }

  async function compareHubs(accounts: readonly Account[]) {
    if (!database) return
    const there = new Set(await database.hubs())
    const waiting = await database.enrolments()
    for (const { username, disabled } of accounts)
      await inOrder(username, async () => {
        if (!there.has(username)) await removeAccount(username)
        else if (disabled || lingering.hubs.has(username)) await hangUp(username)
        lingering.hubs.delete(username)
      })
    for (const { hub } of waiting) await enrolWaiting(hub.thingName)
    lingering.hubs.clear()
    const known = new Set([
      ...accounts.map(({ username }) => username),
      ...waiting.map(({ hub }) => hub.thingName),
    ])
    const strangers = [...there].filter((thingName) => !known.has(thingName))
    if (strangers.length)
      log.warn(
        { hubs: strangers.slice(0, 10), count: strangers.length },
        'Hubs without an account at the outside broker need a new secret',
      )
  }

  /** Compares now, or once more after the comparison under way; tries again until it succeeds. */
  function compareSoon(ms = 0) {
    cancelComparing()
    if (closed) return
    cancelComparing = clock.after(ms, () => {
      comparing = comparing.then(compare).then(
        () => compareSoon(COMPARE),
        (err: unknown) => {
          if (closed) return
          log.warn({ err }, 'The accounts of the outside broker could not be compared; trying again')
          if (connected()) compareSoon(COMPARE_AGAIN)
        },
      )
    })
  }

  async function hangUp(username: string) {
    await commands.run({ command: 'disableClient', username }, GONE)
    await commands.run({ command: 'enableClient', username }, GONE)
  }

  async function putHub(hub: ThingClient, secret: string) {
    await commands.run({ command: 'disableClient', username: hub.thingName }, GONE)
    await putAccount(hub.thingName, secret, rightsOfHub(hub))
  }

  /** Tells the secret that waits now: a newer one may have come since somebody asked. */
  const enrolWaiting = (thingName: string) =>
    inOrder(thingName, async () => {
      const [waiting] = (await database?.enrolments(thingName)) ?? []
      if (!waiting) return
      await putHub(waiting.hub, waiting.secret)
      await database?.enrolled(thingName, waiting.secret)
    })

  /** What could not be done is done by a comparison; without a database to compare with nobody would do it. */
  async function orLater(change: Promise<void>, remember: () => void): Promise<void> {
    try {
      await change
    } catch (err) {
      if (!database) throw err
      log.warn({ err }, 'The outside broker was not told of a change; it will be')
      remember()
      if (connected()) compareSoon(COMPARE_AGAIN)
    }
  }

  async function putAccount(username: string, password: string, acls: unknown[], clientid?: string) {
    await commands.run({ command: 'deleteRole', rolename: username }, GONE)
    await commands.run({ command: 'createRole', rolename: username, acls }, EXISTS)
    const roles = [{ rolename: username, priority: 1 }]
    const account = { username, password, roles, ...(clientid !== undefined && { clientid }) }
    await commands.run({ command: 'createClient', ...account }, EXISTS)
    await commands.run({ command: 'modifyClient', ...account })
    await commands.run({ command: 'enableClient', username })
  }

  return {
    compareSoon,

    /** Makes a hub's secret known, now or as soon as the broker is there. */
    enrol: (hub: ThingClient, secret: string) =>
      orLater(
        database ? enrolWaiting(hub.thingName) : inOrder(hub.thingName, () => putHub(hub, secret)),
        () => {},
      ),

    /** Makes a screen's account; answers its name. Errors: UNAVAILABLE. */
    async addScreen(client: ScreenClient, clientId: string, password: string, expiresAt: number) {
      const username = nameOfScreen(client, expiresAt, clientId)
      const things = (await hooks.thingsOf?.(client.tenant)) ?? []
      await putAccount(username, password, rightsOfScreen(client, things), clientId)
      return username
    },

    /** Ends the connections of a person and takes what they connected with, now or as soon as the broker is there. */
    endPerson: (person: Person) =>
      orLater(
        listAccounts().then((accounts) => removeScreens(person, accounts)),
        () => lingering.people.add(person),
      ),

    /** Ends the connections of a hub, and its account if the hub is no more. */
    endHub: (thingName: string) =>
      orLater(
        inOrder(thingName, async () =>
          (await hooks.tenantOf(thingName)) === undefined ? removeAccount(thingName) : hangUp(thingName),
        ),
        () => lingering.hubs.add(thingName),
      ),

    close() {
      closed = true
      cancelComparing()
    },
  }
}
