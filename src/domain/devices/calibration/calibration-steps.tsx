import { Button, Alert } from 'antd'
import type { FC } from 'react'
import {
  type Color,
  colorHex,
  colorName,
  MAX_COLORS,
} from '../../../../contract/devices/capabilities/light-house.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { useT, type TKey } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'
import type {
  Calibration,
  CalibrationCommand,
} from '../../../../contract/devices/capabilities/light-house.ts'

interface Props {
  colors: readonly Color[]
  count: number
  busy: boolean
  /** Stores the color that is shown now as color number `count`. */
  memorize: (count: number) => void
  clear: () => void
  finish: () => void
}

/** Memorizes up to six colors, one after another (§4). */
export const MemorizeColors: FC<Props> = ({ colors, count, busy, memorize, clear, finish }) => {
  const t = useT()
  const reason = useNoControl()
  const isFull = count >= MAX_COLORS
  return (
    <>
      <p>{isFull ? t('lightHouse:say.memorizeFull') : t('lightHouse:say.memorize', { number: count + 1 })}</p>
      <div className={`${page.muted} ${page.tightStack}`}>
        <span>
          {t('lightHouse:memorized')} {t('lightHouse:count', { count, most: MAX_COLORS })}
        </span>
        <ol className={page.wideRow}>
          {colors.map((color, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a color is identified by its index
            <li key={index} className={page.tightRow}>
              <span
                className={styles.swatch}
                style={{ '--lamp': colorHex(color) } as Record<string, string>}
                aria-hidden
              />
              {t('lightHouse:color', {
                number: index + 1,
                name: t(`devices:lamps.${colorName(color)}`),
              })}
            </li>
          ))}
        </ol>
      </div>
      {!isFull && (
        <Button type="primary" size="large" block loading={busy} onClick={() => memorize(count + 1)}>
          {t(busy ? 'lightHouse:say.working' : 'lightHouse:do.memorize')}
        </Button>
      )}
      <div className={page.buttons}>
        <Button size="large" disabled={busy || reason !== undefined || count < 2} onClick={clear}>
          {t('lightHouse:do.forget')}
        </Button>
        <Button
          size="large"
          type={isFull ? 'primary' : 'default'}
          disabled={busy || reason !== undefined || count === 0}
          onClick={finish}
        >
          {t('lightHouse:do.finish')}
        </Button>
      </div>
    </>
  )
}

interface ResultProps {
  calibration: Calibration
  busy: boolean
  restart: () => void
  close: () => void
}

/** Outcome of a calibration, the reason, and the next step (§8). */
export const Result: FC<ResultProps> = ({
  calibration: { Outcome, Fault, Count = 0 },
  busy,
  restart,
  close,
}) => {
  const t = useT()
  const isSuccess = Outcome === 'success'
  return (
    <>
      <Alert
        className={page.below16}
        type={isSuccess ? 'success' : 'error'}
        showIcon
        message={t(isSuccess ? 'lightHouse:success' : 'lightHouse:failure')}
        description={
          isSuccess ? (
            t('lightHouse:successNote', { count: Count })
          ) : (
            <>
              {Fault && <p className={page.below8}>{t(`lightHouse:faults.${Fault}`)}</p>}
              {t('lightHouse:failureNote')}
            </>
          )
        }
      />
      <div className={page.buttons}>
        <Button size="large" type={isSuccess ? 'default' : 'primary'} loading={busy} onClick={restart}>
          {t('lightHouse:do.restart')}
        </Button>
        <Button size="large" type={isSuccess ? 'primary' : 'default'} onClick={close}>
          {t('lightHouse:do.close')}
        </Button>
      </div>
    </>
  )
}

/** Stages of a calibration, in order (§4). */
export const STAGES = ['type', 'initialize', 'lightsOn', 'lightsOff', 'memorize', 'result'] as const
export type Stage = (typeof STAGES)[number]

/**
 * Next stage of the calibration, given the device's report; initializing is a stage of its own.
 *
 * requested  requested step that the device has not reported yet
 */
export function stageOf(now: Calibration | undefined, requested?: CalibrationCommand): Stage {
  if (requested?.Step === 'initialized') return 'initialize'
  switch (now?.Step) {
    case 'initialized':
      return 'lightsOn'
    case 'lightsOn':
      return 'lightsOff'
    case 'lightsOff':
    case 'memorizing':
      return 'memorize'
    case 'finished':
      return 'result'
    default:
      return 'type'
  }
}

export const stageWords = (t: (key: TKey) => string, stage: Stage): string => t(`lightHouse:steps.${stage}`)
