import { Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { matchesAllWords } from '../../../lib/match-words.ts'

interface Props {
  facts: RuleFacts
  label: string
  value: string | undefined
  onChange: (uid: string | undefined) => void
  /** Filter by field names; without it, all kinds of subjects are offered. */
  acceptsFields?: (fields: readonly string[]) => boolean
  notHome?: boolean
  /** Offers virtual meters and the whole home too, regardless of `acceptsFields`. */
  withSums?: boolean
  disabled?: boolean
}

/** An option that is found by its name and by its measures. */
const optionOf = (value: string, label: string, measures: readonly string[] = []) => ({
  value,
  label,
  search: [label, ...measures].join(' '),
})

/** Selects the subject of a condition: a device of a room, a virtual meter, or the whole home. */
export const SubjectSelect: FC<Props> = ({
  facts,
  label,
  value,
  onChange,
  acceptsFields,
  notHome,
  withSums,
  disabled = false,
}) => {
  const t = useT()
  const { actions, subjects } = facts
  const isSelectable = (uid: string) => {
    const fields = subjects.fieldsOf(uid).map(({ field }) => field)
    return acceptsFields ? acceptsFields(fields) : fields.length > 0
  }
  const devices = facts.devices.filter(({ PeripheralUID }) => isSelectable(PeripheralUID))
  const groups = actions.rooms
    .map(({ RoomID, RoomName }) => ({
      label: RoomName,
      options: devices
        .filter((device) => device.RoomID === RoomID)
        .map(({ PeripheralUID, PeripheralName }) => optionOf(PeripheralUID, PeripheralName)),
    }))
    .filter(({ options }) => options.length > 0)
  const hasSums = !acceptsFields || withSums
  const homeMeasures = subjects
    .fieldsOf(HOME_SUBJECT)
    .map(({ field }) => subjects.fieldName(HOME_SUBJECT, field))
  const sums = [
    ...(notHome ? [] : [optionOf(HOME_SUBJECT, subjects.labelOf(HOME_SUBJECT), homeMeasures)]),
    ...subjects.virtual.map(({ id, name }) => optionOf(id, name)),
  ]
  const options = [
    ...(hasSums && sums.length > 0 ? [{ label: t('automation:rule.edit.sums'), options: sums }] : []),
    ...groups,
  ]
  const isListed = options.some((group) => group.options.some((option) => option.value === value))
  return (
    <Select
      showSearch
      filterOption={(typed, option) =>
        option !== undefined &&
        matchesAllWords(typed)('search' in option ? String(option.search) : option.label)
      }
      aria-label={label}
      disabled={disabled}
      value={value ?? null}
      placeholder={t('automation:rule.edit.chooseDevice')}
      options={
        value === undefined || isListed
          ? options
          : [
              {
                label: t('automation:rule.edit.notListed'),
                options: [optionOf(value, subjects.labelOf(value))],
              },
              ...options,
            ]
      }
      onChange={(uid: string | null) => onChange(uid ?? undefined)}
    />
  )
}
