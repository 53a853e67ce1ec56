import { Alert, Collapse, Select } from 'antd'
import { type FC, useId, type ReactNode } from 'react'
import type { Capability } from '../../../../contract/devices/capabilities/capability.ts'
import { choiceOf, fieldShape } from '../../../../contract/devices/kinds/field-shape.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Stepper } from '../../../ui/inputs/stepper.tsx'
import { applianceIcons } from './appliance-icons.tsx'
import { FieldControl, PendingChange } from './field-control.tsx'
import { FieldValue } from './field-value.tsx'
import { useDeviceFieldWords, valueKey } from '../field-words.ts'
import styles from './climate.module.css'
import page from '../../../ui/page/page.module.css'
import faceStyles from './faces.module.css'
import type { Face, FaceProps } from './face.ts'
import { Readings } from './readings.tsx'
import type { FieldProps } from './on-off-control.tsx'
import { useNoControl } from '../../../ui/inputs/no-control.ts'

interface Props extends FieldProps {
  /** Icons by choice name. */
  icons?: Readonly<Record<string, ReactNode>>
}

/** Radio buttons as tiles. The checked tile is the reported value; a dashed one is requested and not reported yet. */
const ChoiceTiles: FC<Props> = ({ capability, field, status, send, pending, icons }) => {
  const t = useT()
  const id = useId()
  const reason = useNoControl()
  const { nameOf } = useDeviceFieldWords()
  const [value, target] = [status?.[field], pending?.[field]]
  return (
    <fieldset className={page.below12} title={reason}>
      <legend className={`${page.spread} ${page.fill}`}>
        <span>{nameOf(capability, field)}</span>
        <PendingChange capability={capability} field={field} value={value} target={target} />
      </legend>
      <div className={page.smallTiles}>
        {capability.choices?.[field]?.map(([choice, name]) => (
          <label
            key={choice}
            className={`${page.option} ${page.small} ${styles.tile} ${target === choice && value !== choice ? styles.wanted : ''}`}
          >
            <input
              type="radio"
              name={id}
              checked={value === choice}
              disabled={reason !== undefined}
              onChange={() => reason === undefined && send({ [field]: choice })}
            />
            {icons?.[name]}
            {t(valueKey(name))}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Kinds of fields: targets have a stepper, modes have tiles, all others are collapsed. */
const isTarget = (field: string) => field.startsWith('Target')
const isTile = (field: string) => field.endsWith('Mode') || field === 'FanSpeed'
const isTimer = (field: string) => field.endsWith('Timer')
/** Warnings of an appliance, with the action to take. */
const WARNINGS = {
  CleanFilter: 'devices:climate.cleanFilter',
  TankFull: 'devices:climate.emptyTank',
} as const

/**
 * A TaiSEIA appliance: switch, targets and modes; other settings are collapsed. It is rendered from the fields of the capability, so air
 * conditioners, dehumidifiers and ventilators share this component.
 */
const Appliance: Face = (props) => {
  const t = useT()
  const { capability, status, send, pending } = props
  const settings = Object.keys(capability.command)
  const readings = Object.keys(capability.status).filter(
    (field) => !(field in capability.command) && field !== 'TaiSEIAType',
  )
  const folded = settings.filter((field) => field !== 'Switch' && !isTarget(field) && !isTile(field))
  return (
    <>
      {Object.entries(WARNINGS).map(
        ([field, text]) =>
          isTrouble(capability, field, status?.[field]) && (
            <Alert key={field} className={page.below8} type="warning" showIcon message={t(text)} />
          ),
      )}
      <div className={`${page.column} ${faceStyles.lines}`}>
        <Setting {...props} field="Switch" />
      </div>
      {settings.filter(isTarget).map((field) => (
        <Target key={field} {...props} field={field} />
      ))}
      {settings
        .filter(isTile)
        .map((field) =>
          send ? (
            <ChoiceTiles
              key={field}
              capability={capability}
              field={field}
              status={status}
              send={send}
              pending={pending}
              {...(field !== 'FanSpeed' && { icons: applianceIcons })}
            />
          ) : (
            <Setting key={field} {...props} field={field} />
          ),
        )}
      <Readings capability={capability} status={status} fields={readings} />
      <Collapse
        ghost
        className={styles.more}
        items={[
          {
            key: 'more',
            label: t('devices:climate.more'),
            children: (
              <div className={`${page.column} ${faceStyles.lines}`}>
                {folded.map((field) =>
                  isTimer(field) ? (
                    <Timer key={field} {...props} field={field} />
                  ) : (
                    <Setting key={field} {...props} field={field} />
                  ),
                )}
              </div>
            ),
          },
        ]}
      />
    </>
  )
}
export default Appliance

const isTrouble = ({ choices }: Capability, field: string, value: unknown): boolean =>
  choiceOf(choices?.[field] ?? [], value)?.[2] === 'warning'

type FaceFieldProps = FaceProps & { field: string }

/** A field with a control, or read-only without the right to control. */
const Setting: FC<FaceFieldProps> = ({ capability, field, status, send, pending }) => {
  const { nameOf } = useDeviceFieldWords()
  return send ? (
    <FieldControl capability={capability} field={field} status={status} send={send} pending={pending} />
  ) : (
    <div className={faceStyles.line}>
      <span>{nameOf(capability, field)}</span>
      <FieldValue capability={capability} field={field} value={status?.[field]} />
    </div>
  )
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)

const Target: FC<FaceFieldProps> = ({ capability, field, status, send, pending }) => {
  const { nameOf, unitOf } = useDeviceFieldWords()
  const shape = fieldShape(capability, field)
  if (shape.as !== 'number') return null
  return (
    <div className={styles.target}>
      <span>{nameOf(capability, field)}</span>
      <Stepper
        name={nameOf(capability, field)}
        value={number(status?.[field])}
        requested={number(pending?.[field])}
        min={shape.min ?? 0}
        max={shape.max ?? 100}
        step={shape.step ?? 1}
        unit={unitOf(capability, field) ?? ''}
        onChange={send && ((next) => send({ [field]: next }))}
      />
    </div>
  )
}

/** Timer in hours until the appliance turns on or off; stored in minutes, in steps of one hour, 0 for none (§9). */
const Timer: FC<FaceFieldProps> = ({ capability, field, status, send, pending }) => {
  const t = useT()
  const { nameOf } = useDeviceFieldWords()
  const shape = fieldShape(capability, field)
  const maxMinutes = shape.as === 'number' ? (shape.max ?? 0) / 60 : 0
  const formatMinutes = (minutes: number) =>
    minutes === 0 ? t('devices:climate.noTimer') : t('devices:climate.hours', { hours: minutes / 60 })
  const [value, target] = [number(status?.[field]), number(pending?.[field])]
  const isChanging = target !== undefined && target !== value
  return (
    <div className={faceStyles.line}>
      <span>{nameOf(capability, field)}</span>
      {send ? (
        <span className={isChanging ? page.accent : undefined}>
          {isChanging && (
            <span aria-live="polite">
              {t('devices:command.changing', {
                from: value === undefined ? t('devices:state.unknown') : formatMinutes(value),
                to: formatMinutes(target),
              })}{' '}
            </span>
          )}
          <Select<number>
            aria-label={nameOf(capability, field)}
            loading={isChanging}
            style={{ minWidth: 120 }}
            value={value ?? (null as unknown as number)}
            options={Array.from({ length: maxMinutes + 1 }, (_, hours) => ({
              value: hours * 60,
              label: formatMinutes(hours * 60),
            }))}
            onChange={(next) => send({ [field]: next })}
          />
        </span>
      ) : (
        <span>{value === undefined ? '–' : formatMinutes(value)}</span>
      )}
    </div>
  )
}
