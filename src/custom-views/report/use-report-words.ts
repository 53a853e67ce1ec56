import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ReportWords } from '../../../contract/reports/document.ts'
import { loadNamespaces, wordsIn } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** The words of a report in its own language, which need not be the person's; `error` where they could not be fetched. */
export function useReportWords(language: Language) {
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
