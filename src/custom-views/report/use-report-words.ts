import { useEffect, useMemo, useState } from 'react'
import type { ReportWords } from '../../../contract/rules/report/document.ts'
import { loadNamespaces, wordsIn } from '../../lib/i18n/i18n.ts'
import type { Language } from '../../lib/i18n/words.ts'

/** The words of a report in its own language, which need not be the person's; `error` where they could not be fetched. */
export function useReportWords(language: Language) {
  const [ready, setReady] = useState<Language>()
  const [error, setError] = useState<unknown>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isWanted = true
    setError(undefined)
    loadNamespaces(['report', 'tariff', 'energy'], language).then(
      () => isWanted && setReady(language),
      (fault: unknown) => isWanted && setError(fault),
    )
    return () => {
      isWanted = false
    }
  }, [language, tries])
  const words: ReportWords | undefined = useMemo(
    () => (ready === language ? wordsIn(language) : undefined),
    [ready, language],
  )
  return { words, error, retry: () => setTries((count) => count + 1) }
}
