import { Alert, Button, Progress, Steps, Radio } from 'antd'
import { useState, type FC } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  type Calibration,
  type CalibrationCommand,
  isInProgress,
  type LightType,
  type CalibrationStep,
  LIGHT_TYPES,
} from '../../../../contract/devices/capabilities/light-house.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { useDevices } from '../../../data/homes.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { confirm } from '../../../ui/page/dialogs.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { useDeviceControl } from '../commands/use-device-control.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'
import { MemorizeColors, Result, STAGES, stageOf, stageWords } from './calibration-steps.tsx'
import { SignalTower } from '../../../ui/tags/signal-tower.tsx'
import { DEFAULT_COLOR, SENSORS } from '../../../../contract/devices/capabilities/light-house.ts'
import { commands } from '../../../../contract/devices/command-calls.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import { callQuery } from '../../../data/api.ts'
import { useMe } from '../../../data/session.ts'
import { ControlArea } from '../../../ui/inputs/control-area.tsx'
import { Drawer } from '../../../ui/page/dialog.tsx'
import { usePhone } from '../../../ui/page/use-screen.ts'

interface Props {
  value: LightType
  choose: (type: LightType) => void
  start: () => void
  busy: boolean
  canBegin: boolean
}

const LightTypeChoice: FC<Props> = ({ value, choose, start, busy, canBegin }) => {
  const t = useT()
  return (
    <>
      <Radio.Group
        className={page.tightStack}
        aria-label={t('lightHouse:say.type')}
        value={value}
        onChange={({ target }) => choose(target.value as LightType)}
      >
        {LIGHT_TYPES.map((type) => (
          <Radio key={type} value={type} className={`${page.option} ${styles.type}`}>
            <strong>{t(`lightHouse:types.${type}`)}</strong>
            <span>{t(`lightHouse:types.${type}Note`)}</span>
          </Radio>
        ))}
      </Radio.Group>
      <Button type="primary" size="large" block loading={busy} disabled={!canBegin} onClick={start}>
        {t('lightHouse:do.begin')}
      </Button>
    </>
  )
}

type Step = CalibrationStep | undefined

/** Progress of a calibration as observed by the wizard. */
interface CalibrationProgress {
  step: Step
  requestedStep: Step
  /** Whether the last request was to cancel. */
  cancelling: boolean
  isLost: boolean
}

const isWithin = (step: Step) => step !== undefined && step !== 'idle' && step !== 'finished'

/**
 * Next progress when the device reports `step` and `requested` is requested. `isLost` means that a calibration in progress ended without being
 * canceled here: it was canceled elsewhere, or the device lost it.
 */
function moveOn(progress: CalibrationProgress, step: Step, requested: Step): CalibrationProgress {
  const cancelling = requested ? requested === 'idle' : progress.cancelling
  const isLost =
    isWithin(progress.step) && step === 'idle'
      ? !cancelling
      : progress.isLost && step === progress.step && requested === undefined
  return { step, requestedStep: requested, cancelling, isLost }
}

/** Whether the calibration ended without a request from this wizard. */
function useLostPlace(step: Step, requested: Step): boolean {
  const [place, setPlace] = useState<CalibrationProgress>({
    step,
    requestedStep: requested,
    cancelling: false,
    isLost: false,
  })
  if (place.step === step && place.requestedStep === requested) return place.isLost
  const next = moveOn(place, step, requested)
  setPlace(next)
  return next.isLost
}

/** Maximum number of commands searched; a calibration uses fewer. */
const MAX_CHECKED_COMMANDS = 50

interface Calibrator {
  /** Name as in the command list. */
  name: string
  /** Time of the last requested step, epoch ms. */
  at: number
}

/** Another user who requested the last step of a calibration in progress; undefined if it was the current user. */
export function useCalibrator(
  { HomeID, PeripheralUID }: Peripheral,
  isRunning: boolean,
): Calibrator | undefined {
  const me = useMe()
  const { data } = useQuery({
    ...callQuery(commands.listCommand, { HomeID, PeripheralUID, Limit: MAX_CHECKED_COMMANDS }),
    enabled: isRunning,
  })
  if (!isRunning) return undefined
  const last = data?.find(({ Values, Reason }) => 'Calibration' in Values && Reason === null)
  if (!last?.By || (me && last.By === displayName(me))) return undefined
  return { name: last.By, at: last.RequestedAt }
}

/** Step in which the user turns the tower on or off and starts the measurement. */
const Measure: FC<{ stage: 'lightsOn' | 'lightsOff'; busy: boolean; start: () => void }> = ({
  stage,
  busy,
  start,
}) => {
  const t = useT()
  const lamps = Array.from({ length: SENSORS }, (_, index) => ({
    sensors: [index + 1],
    color: DEFAULT_COLOR,
    state: stage === 'lightsOn' ? 1 : 0,
  }))
  return (
    <>
      <div className={`${page.below16} ${page.row}`}>
        <SignalTower lamps={lamps} />
        <p>{t(`lightHouse:say.${stage}`)}</p>
      </div>
      <Button type="primary" size="large" block loading={busy} onClick={start}>
        {t(busy ? 'lightHouse:say.working' : `lightHouse:do.${stage}`)}
      </Button>
    </>
  )
}

function confirmCancel(t: ReturnType<typeof useT>, onOk: () => void): void {
  confirm({
    title: t('lightHouse:cancelTitle'),
    content: t('lightHouse:cancelNote'),
    okText: t('lightHouse:do.cancel'),
    okButtonProps: { danger: true },
    cancelText: t('lightHouse:keep'),
    onOk,
  })
}

/**
 * Guides a user through the calibration of a signal tower's sensors (§4). The device reports the step and the gateway stores it, so every
 * browser shows the same step, also after an interruption; closing the wizard changes nothing.
 */
const CalibrationWizard: FC<{ device: Peripheral; close: () => void }> = ({ device, close }) => {
  const t = useT()
  const language = useLanguage()
  const clock = useNow()
  const isPhone = usePhone()
  const status = useStatus(device.PeripheralUID)
  const { send, pending, failed, retry, dismiss } = useDeviceControl(device)
  const hub = useDevices(device.HomeID).data?.Things.find(({ ThingName }) => ThingName === device.ThingName)
  const [type, setType] = useState<LightType>('stacked')
  const now = status?.['Calibration'] as Calibration | undefined
  const requested = pending?.['Calibration'] as CalibrationCommand | undefined
  const stage = stageOf(now, requested)
  const isLost = useLostPlace(now?.Step, requested?.Step)
  const otherCalibrator = useCalibrator(device, isInProgress(now))
  const sendStep = (Calibration: CalibrationCommand) => {
    dismiss()
    send?.({ Calibration })
  }
  const start = (LightType: LightType) => sendStep({ Step: 'initialized', LightType })
  const cancel = () => confirmCancel(t, () => sendStep({ Step: 'idle' }))
  const reason = useNoControl()
  const busy = requested !== undefined
  const isStopped = reason !== undefined
  const count = now?.Count ?? 0

  return (
    <div className={styles.wizard}>
      <p className={page.below8}>{device.PeripheralName}</p>
      {!isPhone ? (
        <Steps
          size="small"
          direction="vertical"
          current={STAGES.indexOf(stage)}
          status={now?.Outcome === 'failure' && stage === 'result' ? 'error' : 'process'}
          items={STAGES.map((stageName) => ({ title: stageWords(t, stageName) }))}
        />
      ) : (
        // Compact progress bar: the instructions stay visible on a phone without scrolling.
        <Progress
          aria-label={t('lightHouse:title')}
          steps={STAGES.length}
          percent={(100 * (STAGES.indexOf(stage) + 1)) / STAGES.length}
          showInfo={false}
        />
      )}
      {hub && !hub.Online && <Alert type="warning" showIcon message={t('lightHouse:hubOffline')} />}
      {reason !== undefined && <Alert type="warning" showIcon message={reason} />}
      {otherCalibrator && (
        <Alert
          type="warning"
          showIcon
          message={t('lightHouse:other', { name: otherCalibrator.name })}
          description={t('lightHouse:otherNote', { age: formatAge(otherCalibrator.at, clock, language) })}
        />
      )}
      {isLost && <Alert type="info" showIcon message={t('lightHouse:gone')} />}
      {failed && (
        <Alert
          type="error"
          showIcon
          message={t('lightHouse:notSent')}
          description={t(`errors:command.${failed.Reason ?? 'noAnswer'}`)}
          action={<Button onClick={retry}>{t('screens:retry')}</Button>}
        />
      )}
      <section
        className={`${page.card} ${page.padded} ${page.tightStack}`}
        aria-live="polite"
        aria-busy={busy}
      >
        <h2>{stageWords(t, stage)}</h2>
        {!status && <p>{t('lightHouse:noData')}</p>}
        {stage === 'type' && (
          <LightTypeChoice
            value={type}
            choose={setType}
            start={() => start(type)}
            {...{ busy, canBegin: !!send && !isStopped }}
          />
        )}
        {stage === 'initialize' && <p>{t('lightHouse:say.initialize')}</p>}
        {(stage === 'lightsOn' || stage === 'lightsOff') && (
          <Measure stage={stage} busy={busy} start={() => sendStep({ Step: stage })} />
        )}
        {stage === 'lightsOff' && (
          <Button type="link" disabled={busy || isStopped} onClick={() => sendStep({ Step: 'lightsOn' })}>
            {t('lightHouse:do.again')}
          </Button>
        )}
        {stage === 'memorize' && (
          <MemorizeColors
            colors={now?.Colors ?? []}
            count={count}
            busy={busy}
            memorize={(Count) => sendStep({ Step: 'memorizing', Count })}
            clear={() => sendStep({ Step: 'memorizing', Count: count - 1 })}
            finish={() => sendStep({ Step: 'finished' })}
          />
        )}
        {stage === 'result' && now && (
          <Result calibration={now} busy={busy} restart={() => start(now.LightType ?? type)} close={close} />
        )}
      </section>
      {(isInProgress(now) || stage === 'initialize') && (
        <footer className={styles.footer}>
          <Button danger disabled={requested?.Step === 'idle' || isStopped} onClick={cancel}>
            {t('lightHouse:do.cancel')}
          </Button>
          <p className={page.hint}>{t('lightHouse:kept')}</p>
        </footer>
      )}
    </div>
  )
}

/** Calibration wizard in a drawer: next to the device panel on wide screens, full screen on phones. */
export const CalibrationDrawer: FC<{ device: Peripheral; close: () => void }> = ({ device, close }) => {
  const t = useT()
  return (
    <Drawer focusAtFirst="dialog" open push={false} onClose={close} title={t('lightHouse:title')}>
      {/* The wizard shows the reason itself. */}
      <ControlArea isQuiet>
        <CalibrationWizard device={device} close={close} />
      </ControlArea>
    </Drawer>
  )
}
