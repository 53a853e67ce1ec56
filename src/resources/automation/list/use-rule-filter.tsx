import type { ReactNode } from 'react'
import { AUTOMATION_STATES } from '../../../../contract/automation/automation.ts'
import { matchesAllWords } from '../../../lib/match-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { barChoice } from '../../../ui/filter-bar/bar-choice.tsx'
import type { BarFilter } from '../../../ui/filter-bar/bar-filter.ts'
import { LOCAL_DEBOUNCE_MS, SearchBox } from '../../../ui/inputs/search-box.tsx'
import { oneOf, useAddress } from '../../../ui/page/use-address.ts'
import { type ListedRule, actionsIn, loadsIn } from '../rules/kinds.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'

interface Named {
  devices: ReadonlySet<string>
  rooms: ReadonlySet<number>
}

/** Devices that actions set, including those of groups and scenes, and their rooms. */
function setBy(
  editedActions: readonly EditedAction[],
  { actions: { devices, groups }, sceneActions }: RuleFacts,
): Named {
  const actions = editedActions.flatMap((action) =>
    action.SceneID === undefined ? [action] : sceneActions(action.SceneID),
  )
  const uids = new Set(
    actions.flatMap(({ PeripheralUID, GroupID }) => [
      ...(PeripheralUID === undefined ? [] : [PeripheralUID]),
      ...((GroupID !== undefined && groups.get(GroupID)?.PeripheralList) || []),
    ]),
  )
  const rooms = new Set([
    ...actions.flatMap(({ RoomID }) => (RoomID === undefined ? [] : [RoomID])),
    ...[...uids].flatMap((uid) => devices.get(uid)?.RoomID ?? []),
  ])
  return { devices: uids, rooms }
}

/** Actions of a rule, and the loads that it sheds. */
const setsOf = (rule: ListedRule): EditedAction[] => [
  ...actionsIn(rule),
  ...loadsIn(rule).map((load) => load as EditedAction),
]

/** Rooms whose devices a rule sets. */
export const roomsSetBy = (rule: ListedRule, facts: RuleFacts): ReadonlySet<number> =>
  setBy(setsOf(rule), facts).rooms

/** All devices that a rule evaluates or sets, and their rooms. */
function namedBy(rule: ListedRule, facts: RuleFacts): Named {
  const set = setBy(setsOf(rule), facts)
  const watchedUids = [
    ...(rule.Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID),
    ...(rule.Booking?.Presence ? [rule.Booking.Presence.PeripheralUID] : []),
  ]
  return {
    devices: new Set([...set.devices, ...watchedUids]),
    rooms: new Set([
      ...set.rooms,
      ...watchedUids.flatMap((uid) => facts.actions.devices.get(uid)?.RoomID ?? []),
    ]),
  }
}

const NAMES = ['q', 'room', 'device', 'state'] as const

/** Filter of the list of rules by room, device, state and search text; stored in the URL. */
export function useRuleFilter(facts: RuleFacts): {
  passes: (rule: ListedRule, sentence: string) => boolean
  isOn: boolean
  clear: () => void
  bar: { leading: ReactNode; filters: readonly BarFilter[] }
} {
  const t = useT()
  const { get, change } = useAddress()
  const { rooms } = facts.actions
  const [search, device] = [get('q').trim(), get('device')]
  const room = oneOf(
    rooms.map(({ RoomID }) => String(RoomID)),
    get('room'),
  )
  const state = oneOf(AUTOMATION_STATES, get('state'))
  const matchesSearch = search === '' ? undefined : matchesAllWords(search)
  return {
    passes(rule, sentence) {
      if (state !== undefined && rule.State !== state) return false
      if (matchesSearch && !matchesSearch(`${rule.AutomationName}\n${rule.Description ?? ''}\n${sentence}`))
        return false
      if (room === undefined && device === '') return true
      const named = namedBy(rule, facts)
      return (
        (room === undefined || named.rooms.has(Number(room))) && (device === '' || named.devices.has(device))
      )
    },
    isOn: search !== '' || room !== undefined || device !== '' || state !== undefined,
    clear: () => change(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
    bar: {
      leading: (
        <SearchBox
          value={search}
          label={t('automation:rule.search')}
          search={(q) => change({ q })}
          pause={LOCAL_DEBOUNCE_MS}
        />
      ),
      filters: [
        barChoice({
          key: 'room',
          value: room,
          label: t('automation:rule.filters.room'),
          placeholder: t('automation:rule.filters.anyRoom'),
          options: rooms.map(({ RoomID, RoomName }) => ({ value: String(RoomID), label: RoomName })),
          onChange: (next) => change({ room: next }),
        }),
        barChoice({
          key: 'device',
          value: device || undefined,
          label: t('automation:rule.filters.device'),
          placeholder: t('automation:rule.filters.anyDevice'),
          options: facts.devices.map(({ PeripheralUID, PeripheralName }) => ({
            value: PeripheralUID,
            label: PeripheralName,
          })),
          onChange: (next) => change({ device: next }),
        }),
        barChoice({
          key: 'state',
          value: state,
          label: t('automation:rule.filters.state'),
          placeholder: t('automation:rule.filters.anyState'),
          options: AUTOMATION_STATES.map((value) => ({ value, label: t(`automation:rule.states.${value}`) })),
          onChange: (next) => change({ state: next }),
        }),
      ],
    },
  }
}
