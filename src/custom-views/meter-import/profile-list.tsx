import { useQuery } from '@tanstack/react-query'
import { Button, Card } from 'antd'
import type { FC } from 'react'
import { type ImportProfile, importProfiles } from '../../../contract/meters/import-profiles.ts'
import { READING_FACTS } from '../../../contract/meters/import-reading.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import page from '../../ui/page/page.module.css'
import { LoadFailed } from '../../ui/page/states.tsx'
import { useFactText } from './fact-text.ts'

/** Profiles of a home: the answers that apply to the next file of the same kind, each of which can be deleted. Nothing without any. */
export const ProfileList: FC<{ homeId: string; zone: string }> = ({ homeId, zone }) => {
  const t = useT()
  const query = useQuery(callQuery(importProfiles.listImportProfile, { HomeID: homeId }))
  const title = t('meterImport:known.title')
  if (query.error && !query.data)
    return (
      <Card title={title}>
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      </Card>
    )
  if (!query.data || query.data.length === 0) return null
  return (
    <Card title={title}>
      <p className={page.note}>{t('meterImport:known.note')}</p>
      <ul className={`${page.rows} ${page.spreadRows}`}>
        {query.data.map((profile) => (
          <ProfileLine key={profile.Signature} profile={profile} homeId={homeId} zone={zone} />
        ))}
      </ul>
    </Card>
  )
}

const ProfileLine: FC<{ profile: ImportProfile; homeId: string; zone: string }> = ({
  profile,
  homeId,
  zone,
}) => {
  const t = useT()
  const language = useLanguage()
  const may = useMay('electricity', 'Update')
  const factText = useFactText()
  const { HomeID, Signature, Name, Answers, Meters, By, UpdatedAt } = profile
  const isOwn = HomeID === homeId
  const answers = READING_FACTS.flatMap((fact) => {
    const answer = Answers[fact]
    return answer === undefined ? [] : [`${t(`meterImport:facts.${fact}`)}: ${factText.value(fact, answer)}`]
  })
  const remove = async () => {
    try {
      await call(importProfiles.deleteImportProfile, { HomeID, Signature })
      notices.success(() => tNow('meterImport:known.deleted', { name: Name }))
    } catch (error) {
      notices.error(() => describeFailure(error))
    }
  }
  return (
    <li>
      <div>
        <strong>{Name}</strong>
        <div className={page.note}>
          {t(isOwn ? 'meterImport:known.line' : 'meterImport:known.otherHome', {
            by: isolated(By),
            at: formatWhen(UpdatedAt, language, zone),
            count: Meters.length,
          })}
        </div>
        <div className={page.note}>
          {answers.length === 0
            ? t('meterImport:known.noAnswers')
            : answers.join(t('meterImport:known.comma'))}
        </div>
      </div>
      {isOwn && may && (
        <Button
          onClick={() =>
            confirm({
              title: t('meterImport:known.deleteTitle', { name: Name }),
              content: t('meterImport:known.deleteText'),
              okText: t('meterImport:known.delete'),
              okButtonProps: { danger: true },
              cancelText: t('screens:cancel'),
              onOk: remove,
            })
          }
        >
          {t('meterImport:known.delete')}
        </Button>
      )}
    </li>
  )
}
