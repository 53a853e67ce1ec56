import { createDevices } from '../../../hubs/home-assistant/devices.ts'
import type { Publication } from '../../../hubs/home-assistant/entities/entity.ts'
import { allSources } from '../../../hubs/home-assistant/options.ts'
import { createProblems } from '../../../hubs/home-assistant/problems.ts'
import { holdClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'

/** Devices of a broker without the broker: a test passes messages and checks the results. */
export function play() {
  const clock = holdClock()
  const log = createLogBook()
  const problems = createProblems(log)
  const asked: Publication[] = []
  const questions: { topic: string; answered: () => boolean }[] = []
  const heard = new Set<string>()
  const changed: string[] = []
  const devices = createDevices({
    sources: allSources({}),
    clock,
    problems,
    onChanged: (uid) => void changed.push(uid),
    onEntitiesChanged: () => {},
    subscribe: (topics) => topics.forEach((topic) => heard.add(topic)),
    unsubscribe: (topics) => topics.forEach((topic) => heard.delete(topic)),
    enqueueQueries(publications, answered = () => false) {
      asked.push(...publications)
      for (const { topic } of publications) questions.push({ topic, answered })
    },
  })
  const say = (topic: string, payload: unknown, { retained = false } = {}) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    devices.receive(topic, Buffer.from(text), retained)
    devices.buildPeripherals()
  }
  return {
    devices,
    clock,
    asked,
    /** Topics of unanswered questions to devices. */
    open: () => questions.filter(({ answered }) => !answered()).map(({ topic }) => topic),
    changed,
    say,
    /** Subscribed topics. */
    heard,
    counts: problems.counts,
    /** Reasons for omitted parts of devices, and reported problems. */
    told: () => log.lines.map(({ fields }) => `${String(fields['where'])}: ${String(fields['reason'])}`),
    /** Announces a component of Home Assistant discovery. */
    announce: (component: string, id: string, config: object) =>
      say(`homeassistant/${component}/${id}/config`, { uniq_id: id, ...config }),
    types: () => devices.peripherals().map(({ PeripheralType }) => PeripheralType),
    list: () =>
      devices
        .peripherals()
        .map(({ PeripheralUID, PeripheralType, PeripheralName }) => [
          PeripheralUID,
          PeripheralType,
          PeripheralName,
        ]),
    /** Status of the only device, or of the one with this type. */
    status(type?: string) {
      const found = devices.peripherals().find(({ PeripheralType }) => !type || PeripheralType === type)
      return found && devices.status(found.PeripheralUID)
    },
    /** Messages published for a command with these values to the device of this type. */
    command(type: string, values: Record<string, unknown>) {
      const found = devices.peripherals().find(({ PeripheralType }) => PeripheralType === type)
      return devices.command(found?.PeripheralUID ?? '', values)
    },
  }
}
