import { Card } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useCallback, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { reports } from '../../../contract/reports/calls.ts'
import { documentOf } from '../../../contract/reports/document-of.ts'
import { callQuery } from '../../data/api.ts'
import { useHomes } from '../../data/homes.ts'
import { useT, loadNamespaces, wordsIn } from '../../lib/i18n/i18n.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { ReportSheet } from './report-sheet.tsx'
import { ReportTools } from './report-tools.tsx'
import styles from './report.module.css'
import { useReportAddress } from './use-report-address.ts'
import type { ReportWords } from '../../../contract/reports/document.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** Fallback time zone. */
const DEFAULT_ZONE = 'Asia/Taipei'

/** Report of a site or of the whole company, as it is printed. */
export default function ReportPage() {
  const t = useT()
  const homes = useHomes()
  const { HomeID } = useParams()
  const home = HomeID === undefined ? homes?.[0] : homes?.find((candidate) => candidate.HomeID === HomeID)
  return (
    <Page title={t('shell:pages.Report')} intro={t('report:intro')} width="paper">
      {homes ? (
        <Shown zone={home?.TimeZone ?? DEFAULT_ZONE} />
      ) : (
        <Card>
          <ListSkeleton rows={10} />
        </Card>
      )}
    </Page>
  )
}

function Shown({ zone }: { zone: string }) {
  const t = useT()
  const now = useNow()
  const { address, go } = useReportAddress(now, zone)
  const { words, error: noWords, retry } = useReportWords(address.Language)
  const query = useQuery({
    ...callQuery(reports.getReport, { ...address }),
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = query
  const document = useMemo(() => (data && words ? documentOf(data, words) : undefined), [data, words])
  const error = query.error ?? noWords
  const isFresh = !isPlaceholderData && !query.error
  return (
    <div className={`${page.page} ${styles.layout}`}>
      <ReportTools
        address={address}
        changeAddress={go}
        now={now}
        zone={zone}
        report={isFresh ? data : undefined}
        document={document}
      />
      {document && !query.error ? (
        <div className={isPlaceholderData ? page.stale : undefined} aria-busy={isPlaceholderData}>
          <ReportSheet
            document={document}
            language={address.Language}
            words={words as NonNullable<typeof words>}
          />
        </div>
      ) : error ? (
        <LoadFailed
          error={error}
          retry={() => {
            retry()
            void query.refetch()
          }}
        />
      ) : (
        <Card aria-label={t('shell:pages.Report')}>
          <ListSkeleton rows={12} />
        </Card>
      )}
    </div>
  )
}

/** Texts of a report in its own language, which may differ from the user's; `error` if they could not be loaded. */
function useReportWords(language: Language) {
  const [ready, setReady] = useState<Language>()
  const [error, setError] = useState<unknown>()
  const fetchWords = useCallback(
    () =>
      loadNamespaces(['report', 'tariff', 'energy', 'insight'], language).then(
        () => {
          setReady(language)
          setError(undefined)
        },
        (fault: unknown) => setError(fault),
      ),
    [language],
  )
  useEffect(() => void fetchWords(), [fetchWords])
  const words: ReportWords | undefined = useMemo(
    () => (ready === language ? wordsIn(language) : undefined),
    [ready, language],
  )
  return { words, error, retry: () => void fetchWords() }
}
