import { Button, Card, Input, Select } from 'antd'
import { useState } from 'react'
import { tariff, type Tariff } from '../../../contract/resources/tariff.ts'
import { formatDay, parseDay } from '../../../contract/rules/periods.ts'
import { TAIPOWER_PLANS, taipowerPlan } from '../../../contract/rules/taipower-plans.ts'
import type { TariffVersion } from '../../../contract/rules/tariff.ts'
import { describeField } from '../../providers/failure.ts'
import { useT } from '../../providers/i18n.ts'
import { useLeaveGuard } from '../../ui/crud/use-leave-guard.ts'
import { useFaultPlace } from './fault-place.ts'
import styles from './tariff.module.css'
import { useChange } from './use-change.ts'
import { usePlans } from './use-tariff.ts'
import { VersionEditor } from './version-editor.tsx'

const latest = (PlanID: string): TariffVersion =>
  structuredClone(taipowerPlan(PlanID)?.Versions.at(-1) as TariffVersion)

/** Adds a tariff of the company's own or changes one, version by version; it begins as a copy of a plan built in. */
export function TariffEditor({ tariff: before, close }: { tariff: Tariff | undefined; close: () => void }) {
  const t = useT()
  const { nameOf } = usePlans()
  const placeOf = useFaultPlace()
  const guard = useLeaveGuard()
  const { busy, faults, change } = useChange()
  const [name, setName] = useState(before?.TariffName ?? '')
  const [versions, setVersions] = useState<readonly TariffVersion[]>(
    () => before?.Versions ?? [latest('commercial_two_stage')],
  )
  const [shown, show] = useState(versions.length - 1)
  const version = versions[shown] as TariffVersion
  const input = { TariffName: name, Versions: [...versions] }
  const checked = tariff.operations.create.input.safeParse(input)
  // What is refused is known before it is sent, and said where it is.
  const problems = (checked.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join('.'),
    text: describeField(message),
  }))
  // A name is not missing before there was a chance to type one.
  const [asked, setAsked] = useState(before !== undefined)
  const told = asked ? problems : problems.filter(({ path }) => path !== 'TariffName')
  const all = problems.length > 0 ? told : faults
  const here = `Versions.${shown}.`
  const put = (next: readonly TariffVersion[]) => {
    setVersions(next)
    guard.setDirty(true)
  }
  const save = async () => {
    setAsked(true)
    if (problems.length > 0) return
    const saved = before
      ? await change(tariff.operations.update, { TariffID: before.TariffID, ...input })
      : await change(tariff.operations.create, input)
    if (!saved) return
    guard.setDirty(false)
    close()
  }
  /** The next version begins the day after the last, or today's prices go on until the day before it. */
  const addVersion = () => {
    const last = versions.at(-1) as TariffVersion
    const from = last.ValidThrough ?? formatDay(parseDay(last.ValidFrom) + 364)
    const next = { ...structuredClone(last), ValidFrom: formatDay(parseDay(from) + 1), ValidThrough: null }
    put([...versions.slice(0, -1), { ...last, ValidThrough: from }, next])
    show(versions.length)
  }
  return (
    <Card
      title={before ? t('tariff:own.change') : t('tariff:own.add')}
      extra={
        <span className={styles.row}>
          <Button onClick={() => guard.ask(close)}>{t('screens:cancel')}</Button>
          <Button type="primary" loading={busy} disabled={told.length > 0} onClick={() => void save()}>
            {t('screens:save')}
          </Button>
        </span>
      }
    >
      <div className={styles.stack}>
        <div className={styles.fields}>
          <label>
            {t('tariff:own.name')}
            <Input
              value={name}
              maxLength={64}
              onChange={({ target }) => {
                setName(target.value)
                setAsked(true)
                guard.setDirty(true)
              }}
            />
          </label>
          <label>
            {t('tariff:own.copy')}
            <Select
              value={null}
              placeholder={t('tariff:own.copyHint')}
              onChange={(id: string | null) => {
                if (id === null) return
                const { ValidFrom, ValidThrough } = version
                put(versions.with(shown, { ...latest(id), ValidFrom, ValidThrough }))
              }}
              options={TAIPOWER_PLANS.map(({ PlanID }) => ({ value: PlanID, label: nameOf(PlanID) }))}
            />
          </label>
        </div>
        <div className={styles.row} role="group" aria-label={t('tariff:own.versions')}>
          {versions.map(({ ValidFrom }, i) => (
            <Button
              key={i}
              type={i === shown ? 'primary' : 'default'}
              aria-pressed={i === shown}
              onClick={() => show(i)}
            >
              {ValidFrom || t('tariff:own.versions')}
            </Button>
          ))}
          <Button onClick={addVersion}>{t('tariff:own.addVersion')}</Button>
          {versions.length > 1 && (
            <Button
              danger
              onClick={() => {
                put(versions.filter((_, i) => i !== shown))
                show(Math.max(0, shown - 1))
              }}
            >
              {t('tariff:own.removeVersion')}
            </Button>
          )}
        </div>
        {all
          .filter(({ path }) => !path.startsWith(here))
          .map(({ path, text }) => (
            <p key={path} className={styles.fault} role="alert">
              {t('tariff:faultAt', { span: placeOf(path), reason: text })}
            </p>
          ))}
        <VersionEditor
          version={version}
          faults={all
            .filter(({ path }) => path.startsWith(here))
            .map(({ path, text }) => ({ path: path.slice(here.length), text }))}
          put={(next) => put(versions.with(shown, next))}
        />
      </div>
    </Card>
  )
}
