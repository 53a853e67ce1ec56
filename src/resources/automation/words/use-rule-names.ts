import { useQuery } from '@tanstack/react-query'
import { conferenceRoom } from '../../../../contract/resources/conference-room.ts'
import { valueOf } from '../../../custom-views/automation/actions/settable.ts'
import type { ActionFacts } from '../../../custom-views/automation/actions/use-action-facts.ts'
import { settingsOf, useActionWords } from '../../../custom-views/automation/actions/use-action-words.ts'
import { callQuery } from '../../../data/api.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { formatMoment } from '../../../lib/format-age.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { say } from './phrase.ts'
import { sentenceOf, type RuleNames, type SaidRule } from './sentence.ts'
import type { Subjects } from './use-subjects.ts'

/** The company's meeting rooms; not asked without the right to read them. */
export function useRuleRooms() {
  const may = useMay('conference_room', 'Read')
  return useQuery({ ...callQuery(conferenceRoom.operations.list, {}), enabled: may })
}

/** What rules of a home name, in the person's language. */
export function useRuleNames(facts: ActionFacts, subjects: Subjects): RuleNames {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(facts.HomeID)
  const actions = useActionWords(facts)
  const rooms = useRuleRooms().data
  const dateOf = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleDateString(language, { timeZone: 'UTC', ...options })
  return {
    actionOf(action) {
      const name = actions.nameOf(action)
      if (action.SceneID !== undefined) return { name, does: 'run' }
      const settings = settingsOf(action, facts)
      const set = settings.filter((setting) => valueOf(setting, action.Values) !== undefined)
      const [only] = set
      if (
        only &&
        set.length === 1 &&
        only.shape.as === 'onOff' &&
        only.node === undefined &&
        isSwitch(only.field)
      )
        return { name, does: valueOf(only, action.Values) === 1 ? 'on' : 'off' }
      const values = actions.valuesOf(set.length > 1 ? set : settings, action.Values)
      return { name, does: { values: values || t('automation:rule.unknownValues') } }
    },
    conditionOf: ({ PeripheralUID: uid, Field, Status, Logical }) => ({
      name: subjects.nameOf(uid),
      field: subjects.fieldName(uid, Field),
      values:
        Logical === 'changed' ? [] : [Status].flat().map((value) => subjects.valueName(uid, Field, value)),
    }),
    conferenceRoom: (id) =>
      rooms?.find(({ ConferenceRoomID }) => ConferenceRoomID === id)?.ConferenceRoomName ??
      t('automation:rule.someRoom'),
    moment: (at) => formatMoment(at, language, zone),
    day: (text) => dateOf(Date.parse(text), { dateStyle: 'medium' }),
    // 2026-01-04 is a Sunday.
    weekday: (day) => dateOf(Date.UTC(2026, 0, 4 + day), { weekday: 'short' }),
  }
}

/** Whether a field switches the whole of what an action is for; of several switches each is named. */
const isSwitch = (field: string): boolean => field === 'Switch' || field === 'On'

/** Says what a rule does, in one sentence of the person's language. */
export function useSentence(names: RuleNames): (rule: SaidRule) => string {
  const t = useT()
  return (rule) => say(t, sentenceOf(rule, names))
}
