import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import {
  type ActionFacts,
  useActionFacts,
  useScenes,
} from '../../../domain/automation/targets/use-action-facts.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import { useHomes, useTimeZone } from '../../../data/homes.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import {
  BLANK,
  type RuleNames,
  type RuleSentence,
  PLAIN_STATES,
  sentenceOf,
  type PlainState,
  type DescribedRule,
} from './sentence.ts'
import { type Subjects, useSubjects } from '../../../domain/automation/words/use-subjects.ts'
import { formatDate, formatWeekday, formatWhen } from '../../../../contract/time/format-time.ts'
import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import { ONLINE, readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import { conferenceRoom } from '../../../../contract/bookings/conference-room.ts'
import type { SubjectField } from '../../../../contract/automation/subject-fields.ts'
import { useActionWords } from '../../../domain/automation/actions/use-action-words.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { capitalized, formatPhrase } from '../../../domain/automation/words/phrase.ts'

/** Facts and names that rules of a home refer to. */
export interface RuleFacts {
  actions: ActionFacts
  subjects: Subjects
  names: RuleNames
  /** Actions of a scene; empty if it is unknown. */
  sceneActions(id: string): readonly EditedAction[]
  /** All devices by name, without Han modules. */
  devices: readonly Peripheral[]
  /** Whether the home has a position, which its sunrise and sunset need. */
  hasPlace: boolean
}

export function useRuleFacts(HomeID: string): RuleFacts {
  const language = useLanguage()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const actions = useActionFacts(HomeID, true)
  const subjects = useSubjects(actions)
  const names = useRuleNames(actions, subjects)
  const scenes = useScenes(HomeID).data
  const devices = useMemo(() => {
    const { compare } = new Intl.Collator(language, { numeric: true })
    return [...actions.devices.values()]
      .filter(({ PeripheralType }) => !deviceType(PeripheralType)?.hidden)
      .toSorted((a, b) => compare(a.PeripheralName, b.PeripheralName))
  }, [actions.devices, language])
  const sceneActions = (id: string) =>
    (scenes?.find(({ SceneID }) => SceneID === id)?.Actions ?? []) as readonly EditedAction[]
  return { actions, subjects, names, sceneActions, devices, hasPlace: home?.Latitude != null }
}

/** The company's meeting rooms; disabled without the right to read them. */
export function useRuleRooms() {
  const may = useMay('conference_room', 'Read')
  return useQuery({ ...callQuery(conferenceRoom.operations.list, {}), enabled: may })
}

/** Names in the rules of a home, in the user's language. */
function useRuleNames(facts: ActionFacts, subjects: Subjects): RuleNames {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(facts.HomeID)
  const actions = useActionWords(facts)
  const rooms = useRuleRooms().data
  return {
    actionOf: actions.actionOf,
    conditionOf: ({ PeripheralUID: uid, Field, Status, Logical }) => ({
      name: subjects.nameOf(uid),
      field: withinSentence(subjects.fieldName(uid, Field), Field, language),
      shape: subjects.fieldOf(uid, Field)?.shape,
      values:
        Logical === 'changed'
          ? []
          : [Status]
              .flat()
              .map((value) => (Number.isNaN(value) ? BLANK : subjects.valueName(uid, Field, value))),
      state: stateOf(subjects.fieldOf(uid, Field), Status),
    }),
    conferenceRoom: (id) =>
      rooms?.find(({ ConferenceRoomID }) => ConferenceRoomID === id)?.ConferenceRoomName ??
      t('automation:rule.someRoom'),
    moment: (at) => formatWhen(at, language, zone),
    day: (date) => formatDate(date, language),
    weekday: (day) => formatWeekday(day, language),
  }
}

/**
 * Name of a field within a sentence: "temperature", but "PM2.5", and unchanged if a user named it. Chinese text has a space between Chinese
 * and Latin characters.
 */
function withinSentence(name: string, path: string, language: string): string {
  if (readPath(path).modbusKey !== undefined || path === PLAIN_VALUE) return name
  if (language.startsWith('zh'))
    return `${/^[\x21-\x7e]/.test(name) ? ' ' : ''}${name}${/[\x21-\x7e₀-₉]$/.test(name) ? ' ' : ''}`
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** State that a value means, if it has wording of its own; one of several relays needs its field name instead. */
function stateOf(field: SubjectField | undefined, status: unknown): PlainState | undefined {
  if (!field) return undefined
  if (field.field === ONLINE) return status === 1 ? 'online' : 'offline'
  if (field.field === 'Switch') return status === 1 ? 'on' : 'off'
  const name = field.choices?.find(([value]) => value === status)?.[1]
  return PLAIN_STATES.find((state) => state === name)
}

/** Returns a function that describes a rule in the user's language: its sentence, and its details as a line of their own. */
export function useSentence(names: RuleNames): (rule: DescribedRule) => RuleSentence<string> {
  const t = useT()
  return (rule) => {
    const { main, notes } = sentenceOf(rule, names)
    return {
      main: formatPhrase(t, main),
      notes: notes === undefined ? undefined : capitalized(formatPhrase(t, notes)),
    }
  }
}
