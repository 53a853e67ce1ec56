import { Button, Card, Input, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { tariff, type Tariff } from '../../../contract/tariffs/tariff.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { tariffAddress, useTariffs, usePlans } from './use-tariff.ts'
import { firstDayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { TAIPOWER_PLANS, taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { describeField } from '../../data/failure.ts'
import type { RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { changesBetween, RecordConflict } from '../../record-kit/record-conflict.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { useFaultPlace, faultsOf } from './faults.ts'
import { VersionEditor } from './version-editor.tsx'

const latest = (PlanID: string): TariffVersion =>
  structuredClone(taipowerPlan(PlanID)?.Versions.at(-1) as TariffVersion)

function nextMonth(): number {
  const today = new Date(gatewayNow())
  return firstDayOf(today.getFullYear() * 12 + today.getMonth() + 1)
}

/** Editor of a company's own tariff, version by version; a new one starts as a copy of a built-in plan. */
function TariffEditor({ tariff: opened, close }: { tariff: Tariff | undefined; close: () => void }) {
  const t = useT()
  const { own, nameOf } = usePlans()
  const placeOf = useFaultPlace()
  const guard = useLeaveGuard()
  // Tariff with which the editor was filled; another user may save it meanwhile.
  const [baseTariff, setBaseTariff] = useState(opened)
  const { create, update } = tariff.operations
  const { busy, refused, run } = useAction(
    (input: RequestOf<typeof create>, send) =>
      baseTariff
        ? send(update, { TariffID: baseTariff.TariffID, Version: baseTariff.Version, ...input })
        : send(create, input),
    { feedback: 'fields' },
  )
  const current = own.find(({ TariffID }) => TariffID === baseTariff?.TariffID)
  const remote =
    !busy && baseTariff && current && current.Version !== baseTariff.Version ? current : undefined
  const [name, setName] = useState(baseTariff?.TariffName ?? '')
  const [versions, setVersions] = useState<readonly TariffVersion[]>(
    () => baseTariff?.Versions ?? [latest('commercial_two_stage')],
  )
  const [versionIndex, setVersionIndex] = useState(versions.length - 1)
  const version = versions[versionIndex] as TariffVersion
  const input = { TariffName: name, Versions: [...versions] }
  const checked = create.input.safeParse(input)
  // Validated before it is sent; errors are shown at their fields.
  const problems = (checked.error?.issues ?? []).map(({ path, message }) => ({
    path: path.join('.'),
    text: describeField(message, path.join('.')),
  }))
  // A missing name is reported only after the first attempt to save.
  const [isNameChecked, setIsNameChecked] = useState(baseTariff !== undefined)
  const shownProblems = isNameChecked ? problems : problems.filter(({ path }) => path !== 'TariffName')
  const all = problems.length > 0 ? shownProblems : faultsOf(refused).filter(({ path }) => path !== 'Version')
  const pathPrefix = `Versions.${versionIndex}.`
  const put = (next: readonly TariffVersion[]) => {
    setVersions(next)
    guard.setDirty(true)
  }
  const save = async () => {
    setIsNameChecked(true)
    if (problems.length > 0) return
    if (!(await run(input, () => tNow('tariff:saved')))) return
    guard.setDirty(false)
    close()
  }
  const applyRecord = (record: Tariff) => {
    setName(record.TariffName)
    setVersions(record.Versions)
    setVersionIndex(record.Versions.length - 1)
    setBaseTariff(record)
    guard.setDirty(false)
  }
  /** Adds a version that starts the day after the last one; if that has an open end, next month, so that past prices stay the same. */
  const addVersion = () => {
    const last = versions.at(-1) as TariffVersion
    const from = parseDay(last.ValidFrom)
    const open = from < nextMonth() ? nextMonth() : from + 365
    const firstDay = last.ValidThrough === null ? open : parseDay(last.ValidThrough) + 1
    const next = { ...structuredClone(last), ValidFrom: formatDay(firstDay), ValidThrough: null }
    put([...versions.slice(0, -1), { ...last, ValidThrough: formatDay(firstDay - 1) }, next])
    setVersionIndex(versions.length)
  }
  return (
    <Card
      title={baseTariff ? t('tariff:own.change') : t('tariff:own.add')}
      extra={
        <span className={`${page.row} ${styles.row}`}>
          <Button onClick={() => guard.ask(close)}>{t('screens:cancel')}</Button>
          <Button
            type="primary"
            loading={busy}
            disabled={shownProblems.length > 0 || remote !== undefined}
            onClick={() => void save()}
          >
            {t('screens:save')}
          </Button>
        </span>
      }
    >
      <div className={`${page.stack} ${page.tightStack}`}>
        {baseTariff && remote && (
          <RecordConflict
            changes={changesBetween(baseTariff, remote, [
              { label: t('tariff:own.name'), of: ({ TariffName }) => TariffName },
              {
                label: t('tariff:own.versions'),
                of: ({ Versions }) => Versions.map(({ ValidFrom }) => ValidFrom).join(' · '),
              },
            ])}
            takeRemote={() => applyRecord(remote)}
            keepLocal={() => setBaseTariff(remote)}
          />
        )}
        <div className={`${page.fields} ${styles.form}`}>
          <label>
            {t('tariff:own.name')}
            <Input
              value={name}
              maxLength={64}
              onChange={({ target }) => {
                setName(target.value)
                setIsNameChecked(true)
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
                put(versions.with(versionIndex, { ...latest(id), ValidFrom, ValidThrough }))
              }}
              options={TAIPOWER_PLANS.map(({ PlanID }) => ({ value: PlanID, label: nameOf(PlanID) }))}
            />
          </label>
        </div>
        <div className={`${page.row} ${styles.row}`} role="group" aria-label={t('tariff:own.versions')}>
          {versions.map(({ ValidFrom }, i) => (
            <Button
              key={i}
              type={i === versionIndex ? 'primary' : 'default'}
              aria-pressed={i === versionIndex}
              onClick={() => setVersionIndex(i)}
            >
              {ValidFrom || t('tariff:own.versions')}
            </Button>
          ))}
          <Button onClick={addVersion}>{t('tariff:own.addVersion')}</Button>
          {versions.length > 1 && (
            <Button
              danger
              onClick={() => {
                put(versions.filter((_, i) => i !== versionIndex))
                setVersionIndex(Math.max(0, versionIndex - 1))
              }}
            >
              {t('tariff:own.removeVersion')}
            </Button>
          )}
        </div>
        {all
          .filter(({ path }) => !path.startsWith(pathPrefix))
          .map(({ path, text }) => (
            <p key={path} className={page.fault} role="alert">
              {t('tariff:faultAt', { span: placeOf(path), reason: text })}
            </p>
          ))}
        <VersionEditor
          version={version}
          faults={all
            .filter(({ path }) => path.startsWith(pathPrefix))
            .map(({ path, text }) => ({ path: path.slice(pathPrefix.length), text }))}
          onChange={(next) => put(versions.with(versionIndex, next))}
        />
      </div>
    </Card>
  )
}

export function OwnTariffs({ homeId }: { homeId: string }) {
  const t = useT()
  const query = useTariffs()
  const mayAdd = useMay('electricity', 'Create')
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const { busy, run } = useAction(tariff.operations.remove)
  const [editing, edit] = useState<Tariff | 'new'>()
  if (editing)
    return (
      <TariffEditor
        key={editing === 'new' ? 'new' : editing.TariffID}
        tariff={editing === 'new' ? undefined : editing}
        close={() => edit(undefined)}
      />
    )
  const add = mayAdd && (
    <Button type="primary" onClick={() => edit('new')}>
      {t('tariff:own.add')}
    </Button>
  )
  const remove = (removed: Tariff) =>
    confirm({
      title: t('tariff:own.removeTitle', { name: removed.TariffName }),
      content: t('tariff:own.removeText'),
      okText: t('tariff:home.remove'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () => run({ TariffID: removed.TariffID }, () => tNow('tariff:saved')),
    })
  return (
    <Card title={t('tariff:tabs.own')} extra={(query.data?.length ?? 0) > 0 && add}>
      {(query.data?.length ?? 0) > 0 && (
        <p className={page.note}>
          {t('tariff:own.use')} <Link to={tariffAddress(homeId, 'home')}>{t('tariff:tabs.home')}</Link>
        </p>
      )}
      {query.data ? (
        query.data.length === 0 ? (
          <EmptyState message={t(mayAdd ? 'tariff:own.none' : 'tariff:own.noneAsk')} next={add} />
        ) : (
          <ul className={page.rows}>
            {query.data.map((ownTariff) => (
              <li key={ownTariff.TariffID} className={page.spread}>
                <span>
                  {ownTariff.TariffName}
                  <br />
                  <small className={page.note}>
                    {ownTariff.Versions.map(({ ValidFrom }) => ValidFrom).join(' · ')}
                  </small>
                </span>
                <span className={`${page.row} ${styles.row}`}>
                  {mayChange && <Button onClick={() => edit(ownTariff)}>{t('tariff:edit')}</Button>}
                  {mayRemove && (
                    <Button danger disabled={busy} onClick={() => remove(ownTariff)}>
                      {t('tariff:home.remove')}
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Card>
  )
}
