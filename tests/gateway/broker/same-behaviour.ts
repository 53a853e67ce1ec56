import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import type { Broker } from '../../../gateway/kernel/broker.ts'
import { GatewayError } from '../../../gateway/kernel/errors.ts'
import {
  ALL,
  connect,
  connectHub,
  connectScreen,
  type Ears,
  hangUp,
  next,
  OTHER,
  root,
  screen,
  subscribes,
  TENANT,
} from './rig.ts'

/** Started broker; hub-1, hub-2 and hub-9 of the rig may sign in. */
export interface Rig {
  broker: Broker
  ears: Ears
  hubUrl: string
  screenUrl: string
  stop(): Promise<void>
}

const REPORT = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-1' })
const COMMAND = channels.controlCommand.topic({ rootId: TENANT, homeId: 'home-1', thingName: 'hub-1' })
const STATUS = channels.status.topic({ rootId: TENANT, homeId: 'home-1' })
const INFO = channels.shadowUpdate.topic({ thingName: 'hub-1', shadowName: 'info' })
const report = (text: string) => JSON.stringify({ ThingName: 'hub-1', Readings: [], text })

export function behavesAsABroker(start: () => Promise<Rig>) {
  describe('a broker of the gateway', () => {
    let rig: Rig
    beforeEach(async () => {
      rig = await start()
    })
    afterEach(async () => {
      await hangUp()
      await rig.stop()
    })

    it('lets hubs in by their secret and nobody else', async () => {
      await connectHub(rig.hubUrl, 'hub-1')
      await expect(connectHub(rig.hubUrl, 'hub-2', { password: 'wrong' })).rejects.toThrow(/refused|closed/i)
      await expect(connect(rig.hubUrl, { clientId: 'x' })).rejects.toThrow(/refused|closed/i)
    })

    it('acknowledges nothing to the gateway’s store that is not stored', async () => {
      let away = true
      rig.ears.store = async () => {
        if (away) throw new GatewayError('UNAVAILABLE', 'away')
      }
      const hub = await connectHub(rig.hubUrl, 'hub-1')
      const sent = hub.publishAsync(REPORT, report('kept'), { qos: 1 })
      await rig.ears.until(2)
      away = false
      const tried = rig.ears.received.length
      await rig.ears.until(tried + 1)
      await sent
      const message = rig.ears.received.at(-1)
      expect(message).toMatchObject({
        match: { name: 'meterReport', values: { homeId: 'home-1' } },
        client: { party: 'hub', tenant: TENANT, homeId: 'home-1', thingName: 'hub-1' },
      })
      expect(Buffer.from(message?.payload ?? []).toString()).toBe(report('kept'))
    })

    it('takes nothing from where a client may not publish', async () => {
      const hub = await connectHub(rig.hubUrl, 'hub-1')
      const person = await connectScreen(rig.screenUrl, rig.broker, screen([]))
      for (const topic of [
        REPORT.replace('home-1', 'home-2'),
        REPORT.replace(TENANT, OTHER),
        INFO.replace('hub-1', 'hub-9'),
      ])
        await hub.publishAsync(topic, '{}', { qos: 1 }).catch(() => {})
      await person
        .publishAsync(channels.controlRequest.topic({ rootId: TENANT, homeId: 'home-1' }), '{}', { qos: 1 })
        .catch(() => {})
      await hub.publishAsync(REPORT, report('mine'), { qos: 1 })
      await rig.ears.until(1)
      expect(rig.ears.received.map(({ topic }) => topic)).toEqual([REPORT])
    })

    it('lets a person hear their company and what they may', async () => {
      const owner = await connectScreen(rig.screenUrl, rig.broker, root())
      const person = await connectScreen(rig.screenUrl, rig.broker, screen(ALL))
      const guest = await connectScreen(
        rig.screenUrl,
        rig.broker,
        screen([], '44444444-4444-4444-8444-444444444444'),
      )
      expect(await subscribes(owner, `${TENANT}/datachange/#`)).toBe(true)
      expect(await subscribes(owner, `${OTHER}/datachange/#`)).toBe(false)
      expect(await subscribes(person, `${TENANT}/datachange/#`)).toBe(false)
      expect(await subscribes(person, `${TENANT}/datachange/thing/+`)).toBe(true)
      expect(await subscribes(guest, `${TENANT}/datachange/thing/+`)).toBe(false)
      expect(await subscribes(guest, `${TENANT}/datachange/room/+`)).toBe(false)
      expect(await subscribes(guest, `${TENANT}/datachange/company/+`)).toBe(true)
      expect(await subscribes(person, STATUS)).toBe(true)
      expect(await subscribes(person, STATUS.replace(TENANT, OTHER))).toBe(false)
      expect(await subscribes(guest, `${TENANT}/+/status`)).toBe(false)
      expect(await subscribes(person, '$aws/things/hub-2/shadow/name/info/get/accepted')).toBe(true)
      expect(await subscribes(person, '$aws/things/hub-9/shadow/name/info/get/accepted')).toBe(false)
      await rig.broker.publish(STATUS, { Peripherals: [] })
      expect(await person.hear(STATUS)).toBe('{"Peripherals":[]}')
      expect(guest.heard).toEqual([])
    })

    it('keeps nothing for a hub that is away, and says so to one that asks for a lasting session', async () => {
      const hub = await connectHub(rig.hubUrl, 'hub-1', { clean: false })
      await hub.subscribeAsync(COMMAND, { qos: 1 })
      await hub.endAsync()
      await rig.broker.publish(COMMAND, 'too late')
      const again = await connectHub(rig.hubUrl, 'hub-1', { clean: false })
      expect(again.sessionPresent).toBe(false)
      await again.subscribeAsync(COMMAND, { qos: 1 })
      await rig.broker.publish(COMMAND, 'now')
      expect(await again.hear(COMMAND)).toBe('"now"')
    })

    it('takes the last will of a hub that vanished', async () => {
      const payload = Buffer.from('{"state":{"reported":{"online":false}}}')
      const hub = await connectHub(rig.hubUrl, 'hub-1', {
        will: { topic: INFO, payload, qos: 1, retain: false },
      })
      hub.stream.destroy()
      await rig.ears.until(1)
      expect(rig.ears.received[0]).toMatchObject({ topic: INFO, client: { tenant: TENANT } })
    })

    it('ends a person’s connections at once and takes their credentials', async () => {
      const person = screen(ALL)
      const clientId = `${person.cognitoId}-9`
      const { username, password } = await rig.broker.credentials(person, clientId)
      const tab = await connect(rig.screenUrl, { clientId, username, password })
      const gone = next(tab, 'close')
      rig.ears.signedOut.add(person.cognitoId)
      await rig.broker.disconnect({ cognitoId: person.cognitoId })
      await gone
      await expect(connect(rig.screenUrl, { clientId, username, password })).rejects.toThrow(
        /refused|closed/i,
      )
    })

    it('ends what one sign-in of a person opened, and lets their others be', async () => {
      const person = screen(ALL)
      const open = async (sessionId: string) => {
        const clientId = `${person.cognitoId}-${sessionId}`
        const { username, password } = await rig.broker.credentials({ ...person, sessionId }, clientId)
        const options = { clientId, username, password }
        return { tab: await connect(rig.screenUrl, options), options }
      }
      const [office, phone] = [await open('office'), await open('phone')]
      const gone = next(phone.tab, 'close')
      rig.ears.signedOut.add('phone')
      await rig.broker.disconnect({ cognitoId: person.cognitoId, sessions: ['phone'] })
      await gone
      await expect(connect(rig.screenUrl, phone.options)).rejects.toThrow(/refused|closed/i)
      await office.tab.subscribeAsync(STATUS)
      await rig.broker.publish(STATUS, { Peripherals: [] })
      expect(await office.tab.hear(STATUS)).toBe('{"Peripherals":[]}')
      await office.tab.endAsync()
      expect((await connect(rig.screenUrl, office.options)).connected).toBe(true)
    })

    it('ends a hub’s connection at once', async () => {
      const hub = await connectHub(rig.hubUrl, 'hub-1')
      const gone = next(hub, 'close')
      await rig.broker.disconnect({ thingName: 'hub-1' })
      await gone
      expect(hub.connected).toBe(false)
    })
  })
}
