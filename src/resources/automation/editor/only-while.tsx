import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select, Tag } from 'antd'
import { useState, type FC } from 'react'
import { DAY_KINDS, type DayKind } from '../../../../contract/automation/schedule.ts'
import { useTimeZone } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { DayField } from '../../../ui/inputs/day-field/day-field.tsx'
import page from '../../../ui/page/page.module.css'
import { newWindow, type EditedWindow } from '../rules/draft.ts'
import styles from './editor.module.css'
import { Field, PartFault, type PartProps } from './field.tsx'
import { MomentOfDay, WeekdaysField } from './time-fields.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

type Props = PartProps & { facts: RuleFacts }

/** Maximum numbers of windows of a rule, and of days that a schedule skips. */
const MAX_WINDOWS = 7
const MAX_EXCEPTIONS = 100

function DayKindSelect(props: {
  value: DayKind
  onChange: (kind: DayKind) => void
  disabled: boolean
  label: string
}) {
  const t = useT()
  return (
    <Select
      aria-label={props.label}
      disabled={props.disabled}
      value={props.value}
      options={DAY_KINDS.map((value) => ({ value, label: t(`automation:rule.edit.dayKinds.${value}`) }))}
      onChange={props.onChange}
    />
  )
}

/** Days on which a repeating schedule runs: all, working or off-peak days, an optional period, and exceptions. */
export const OnlyOnDays: FC<Props> = ({ draft: { repeating }, change, reasons, disabled, facts }) => {
  const t = useT()
  const zone = useTimeZone(facts.actions.HomeID)
  const put = (next: Partial<typeof repeating>) => change({ repeating: { ...repeating, ...next } })
  const day = (name: 'From' | 'Through', label: string) => (
    <Field label={label} path={`Schedule.${name}`} reasons={reasons}>
      <DayField
        clears
        zone={zone}
        label={label}
        value={repeating[name] ?? ''}
        change={(text) => put({ [name]: text || null })}
      />
    </Field>
  )
  return (
    <div className={page.fields}>
      <Field label={t('automation:rule.edit.dayKind')} hint={t('automation:rule.edit.dayKindHint')} isWide>
        <DayKindSelect
          label={t('automation:rule.edit.dayKind')}
          disabled={disabled}
          value={repeating.Days}
          onChange={(Days) => put({ Days })}
        />
      </Field>
      {day('From', t('automation:rule.edit.from'))}
      {day('Through', t('automation:rule.edit.through'))}
      <Field label={t('automation:rule.edit.except')} path="Schedule.Except" reasons={reasons} isWide>
        <Exceptions
          value={repeating.Except}
          zone={zone}
          disabled={disabled}
          onChange={(Except) => put({ Except })}
        />
      </Field>
    </div>
  )
}

interface ExceptionsProps {
  value: readonly string[]
  zone: string | undefined
  disabled: boolean
  onChange: (days: string[]) => void
}

function Exceptions({ value, zone, disabled, onChange }: ExceptionsProps) {
  const t = useT()
  const [dateText, setDateText] = useState('')
  const add = (day: string) => {
    setDateText('')
    if (day && !value.includes(day)) onChange([...value, day].toSorted())
  }
  return (
    <div className={page.tightRow}>
      {value.map((day) => (
        <Tag
          key={day}
          closable={!disabled}
          closeIcon={<DeleteOutlined aria-label={t('automation:rule.edit.removeExcept', { day })} />}
          onClose={() => onChange(value.filter((one) => one !== day))}
        >
          {day}
        </Tag>
      ))}
      {!disabled && value.length < MAX_EXCEPTIONS && (
        <DayField zone={zone} label={t('automation:rule.edit.addExcept')} value={dateText} change={add} />
      )}
    </div>
  )
}

/** Time windows in which a smart link is active; they may span midnight. Without any, it is always active. */
export const OnlyInWindows: FC<Props> = ({ draft: { Period }, change, reasons, disabled }) => {
  const t = useT()
  const put = (next: EditedWindow) =>
    change({ Period: Period.map((one) => (one.id === next.id ? next : one)) })
  return (
    <section aria-label={t('automation:rule.sections.only')} className={page.tightStack}>
      <h3>{t('automation:rule.sections.only')}</h3>
      {Period.length === 0 && <p className={page.hint}>{t('automation:rule.edit.always')}</p>}
      <ol className={page.tightStack}>
        {Period.map((window, i) => (
          <li key={window.id} className={`${page.box} ${styles.row} ${styles.window}`}>
            <WindowFields
              window={window}
              number={i + 1}
              reasons={reasons}
              disabled={disabled}
              onChange={put}
            />
            {!disabled && (
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={t('automation:rule.edit.removeWindow', { number: i + 1 })}
                onClick={() => change({ Period: Period.filter(({ id }) => id !== window.id) })}
              />
            )}
          </li>
        ))}
      </ol>
      <PartFault path="Conditions.Period" reasons={reasons} />
      {!disabled && (
        <div>
          <Button
            icon={<PlusOutlined />}
            disabled={Period.length >= MAX_WINDOWS}
            onClick={() => change({ Period: [...Period, newWindow()] })}
          >
            {t('automation:rule.edit.addWindow')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface WindowProps extends Pick<PartProps, 'reasons' | 'disabled'> {
  window: EditedWindow
  number: number
  onChange: (window: EditedWindow) => void
}

function WindowFields({ window, number, reasons, disabled, onChange }: WindowProps) {
  const t = useT()
  const label = (name: string) => t('automation:rule.edit.ofWindow', { name, number })
  const isOver = typeof window.From === 'number' && typeof window.To === 'number' && window.To <= window.From
  return (
    <>
      <Field
        isWide
        label={t('automation:rule.edit.weekdays')}
        path={`Conditions.Period.${number - 1}.Weekdays`}
        reasons={reasons}
      >
        <WeekdaysField
          label={label(t('automation:rule.edit.weekdays'))}
          disabled={disabled}
          value={window.Weekdays}
          onChange={(Weekdays) => onChange({ ...window, Weekdays })}
        />
      </Field>
      <Field label={t('automation:rule.edit.opens')}>
        <MomentOfDay
          label={label(t('automation:rule.edit.opens'))}
          disabled={disabled}
          value={window.From}
          onChange={(From) => onChange({ ...window, From: From ?? 0 })}
        />
      </Field>
      <Field
        label={t('automation:rule.edit.closes')}
        {...(isOver && { hint: t('automation:rule.edit.overMidnight') })}
      >
        <MomentOfDay
          label={label(t('automation:rule.edit.closes'))}
          disabled={disabled}
          value={window.To}
          onChange={(To) => onChange({ ...window, To: To ?? 0 })}
        />
      </Field>
      <Field label={t('automation:rule.edit.dayKind')}>
        <DayKindSelect
          label={label(t('automation:rule.edit.dayKind'))}
          disabled={disabled}
          value={window.Days}
          onChange={(Days) => onChange({ ...window, Days })}
        />
      </Field>
    </>
  )
}
