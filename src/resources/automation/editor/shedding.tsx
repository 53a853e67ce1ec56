import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, InputNumber } from 'antd'
import { useState, type FC } from 'react'
import { MAX_LOADS, SHED_DEFAULTS } from '../../../../contract/automation/alarm-part.ts'
import { errorsAt, useReasonWords } from '../../../domain/automation/actions/action-errors.ts'
import { ActionValues } from '../../../domain/automation/actions/action-values.tsx'
import { moveItem } from '../../../domain/automation/actions/use-rows.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import { TargetPicker } from '../../../domain/automation/actions/target-picker.tsx'
import { useActionWords } from '../../../domain/automation/actions/use-action-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import page from '../../../ui/page/page.module.css'
import { newLoad, type EditedAlarm, type EditedLoad, type Reasons } from '../rules/draft.ts'
import { Field, PartFault, type PartProps } from './field.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

type Props = PartProps & { facts: RuleFacts }

/** Loads that are switched off before the contract capacity is exceeded, in order. */
export const Shedding: FC<Props> = (props) => {
  const t = useT()
  const { draft, change, reasons, disabled, facts } = props
  const { alarm } = draft
  const [picks, setPicks] = useState(false)
  const put = (next: Partial<EditedAlarm>) => change({ alarm: { ...alarm, ...next } })
  const { Loads } = alarm
  return (
    <>
      <Checkbox
        disabled={disabled}
        checked={alarm.sheds}
        onChange={({ target }) => put({ sheds: target.checked })}
      >
        {t('automation:rule.shed.on')}
      </Checkbox>
      <p className={page.hint}>{t('automation:rule.shed.hint')}</p>
      <PartFault path="Alarm.Shed" reasons={reasons} />
      {alarm.sheds && (
        <>
          <ol className={page.tightStack} aria-label={t('automation:rule.shed.loads')}>
            {Loads.map((load, i) => (
              <li key={load.id} className={`${page.box} ${page.padded} ${page.tightStack}`}>
                <LoadRow
                  load={load}
                  number={i + 1}
                  facts={facts}
                  reasons={reasons}
                  disabled={disabled}
                  onChange={(next) =>
                    put({ Loads: Loads.map((one) => (one.id === load.id ? { ...one, ...next } : one)) })
                  }
                  onMoveUp={i > 0 ? () => put({ Loads: moveItem(Loads, i, i - 1) }) : undefined}
                  onMoveDown={
                    i < Loads.length - 1 ? () => put({ Loads: moveItem(Loads, i, i + 1) }) : undefined
                  }
                  remove={() => put({ Loads: Loads.filter(({ id }) => id !== load.id) })}
                />
              </li>
            ))}
          </ol>
          <PartFault path="Alarm.Shed.Loads" reasons={reasons} />
          {!disabled && (
            <div>
              <Button
                icon={<PlusOutlined />}
                disabled={Loads.length >= MAX_LOADS}
                onClick={() => setPicks(true)}
              >
                {t('automation:rule.shed.add', { count: Loads.length, most: MAX_LOADS })}
              </Button>
            </div>
          )}
          <Checkbox
            disabled={disabled}
            checked={alarm.AllowBilledPeak}
            onChange={({ target }) => put({ AllowBilledPeak: target.checked })}
          >
            {t('automation:rule.shed.billedPeak')}
          </Checkbox>
          <Paces {...props} put={put} />
        </>
      )}
      {picks && (
        <TargetPicker
          facts={facts.actions}
          actions={Loads as EditedAction[]}
          remainingCount={MAX_LOADS - Loads.length}
          allowScenes={false}
          replaces={false}
          notRooms
          close={() => setPicks(false)}
          pick={(targets) => {
            setPicks(false)
            put({
              Loads: [
                ...Loads,
                ...targets.map(({ PeripheralUID, GroupID }) =>
                  newLoad({ ...(PeripheralUID !== undefined ? { PeripheralUID } : { GroupID }) }),
                ),
              ],
            })
          }}
        />
      )}
    </>
  )
}

/** Margin below the target, and pace at which loads are restored. */
function Paces({
  draft: { alarm },
  reasons,
  disabled,
  put,
}: Props & { put: (next: Partial<EditedAlarm>) => void }) {
  const t = useT()
  const field = (name: keyof typeof SHED_DEFAULTS, unit: string, min: number, max: number) => (
    <Field label={t(`automation:rule.shed.${name}`)} path={`Alarm.Shed.${name}`} reasons={reasons}>
      <NumberWithUnit
        aria-label={t(`automation:rule.shed.${name}`)}
        disabled={disabled}
        {...{ min, max, unit }}
        value={alarm[name]}
        onChange={(value) => put({ [name]: value ?? SHED_DEFAULTS[name] })}
      />
    </Field>
  )
  return (
    <div className={page.fields}>
      {field('HoldBelow', '%', 50, 100)}
      {field('GiveBackBelow', '%', 10, 99)}
      {field('GiveBackEvery', 's', 30, 3600)}
    </div>
  )
}

interface RowProps extends Pick<PartProps, 'reasons' | 'disabled'> {
  load: EditedLoad
  /** Position, from 1. */
  number: number
  facts: RuleFacts
  onChange: (next: Partial<EditedLoad>) => void
  onMoveUp: (() => void) | undefined
  onMoveDown: (() => void) | undefined
  remove: () => void
}

function LoadRow({
  load,
  number,
  facts,
  reasons,
  disabled,
  onChange,
  onMoveUp,
  onMoveDown,
  remove,
}: RowProps) {
  const t = useT()
  const words = useActionWords(facts.actions)
  const reasonOf = useReasonWords()
  const action = load as EditedAction
  const name = words.nameOf(action)
  const at = (field: string) => `Alarm.Shed.Loads.${number - 1}.${field}`
  const errors = errorsAt(below(reasons, 'Alarm.Shed.'), 'Loads', reasonOf).rows[number - 1] ?? {}
  const label = (field: string) => t('automation:rule.shed.of', { name, field })
  const minutes = (field: 'MinOff' | 'MaxOff') => (
    <Field label={t(`automation:rule.shed.${field}`)} path={at(field)} reasons={reasons}>
      <NumberWithUnit
        aria-label={label(t(`automation:rule.shed.${field}`))}
        disabled={disabled}
        min={field === 'MinOff' ? 0 : 1}
        max={field === 'MinOff' ? 120 : 1440}
        precision={0}
        value={Math.round(load[field] / 60)}
        unit={t('automation:rule.edit.minutes')}
        onChange={(value) => onChange({ [field]: (value ?? 0) * 60 })}
      />
    </Field>
  )
  return (
    <>
      <div className={page.spread}>
        <b>
          {number}. {name}
        </b>
        {!disabled && (
          <span className={page.buttons}>
            <Button
              type="text"
              icon={<ArrowUpOutlined />}
              disabled={!onMoveUp}
              aria-label={t('automation:actions.up', { name })}
              onClick={onMoveUp}
            />
            <Button
              type="text"
              icon={<ArrowDownOutlined />}
              disabled={!onMoveDown}
              aria-label={t('automation:actions.down', { name })}
              onClick={onMoveDown}
            />
            <Button
              type="text"
              danger
              icon={<DeleteOutlined />}
              aria-label={t('automation:actions.remove', { name })}
              onClick={remove}
            />
          </span>
        )}
      </div>
      <ActionValues
        action={action}
        facts={facts.actions}
        words={words}
        errors={errors}
        disabled={disabled}
        name={name}
        onChange={({ Values }) => onChange({ Values })}
      />
      {(errors[''] ?? errors['Values']) && (
        <p role="alert" className={page.fault}>
          {errors[''] ?? errors['Values']}
        </p>
      )}
      <div className={page.fields}>
        <Field
          label={t('automation:rule.shed.Kw')}
          path={at('Kw')}
          reasons={reasons}
          hint={t('automation:rule.shed.KwHint')}
        >
          <InputNumber<number>
            aria-label={label(t('automation:rule.shed.Kw'))}
            className={page.fill ?? ''}
            disabled={disabled}
            min={0}
            value={load.Kw}
            suffix="kW"
            onChange={(Kw) => onChange({ Kw })}
          />
        </Field>
        {minutes('MinOff')}
        {minutes('MaxOff')}
      </div>
    </>
  )
}

/** Reasons below a path, keyed by the remaining path. */
const below = (reasons: Reasons, path: string): Reasons =>
  Object.fromEntries(
    Object.entries(reasons).flatMap(([at, reason]) =>
      at.startsWith(path) ? [[at.slice(path.length), reason]] : [],
    ),
  )
