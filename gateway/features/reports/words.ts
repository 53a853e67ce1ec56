import { createInstance } from 'i18next'
import type { Language } from '../../../contract/kernel/scalars.ts'
import type { ReportWords } from '../../../contract/reports/document.ts'
import enEnergy from '../../../locales/en-US/energy.json' with { type: 'json' }
import enInsight from '../../../locales/en-US/insight.json' with { type: 'json' }
import enReport from '../../../locales/en-US/report.json' with { type: 'json' }
import enTariff from '../../../locales/en-US/tariff.json' with { type: 'json' }
import zhEnergy from '../../../locales/zh-TW/energy.json' with { type: 'json' }
import zhInsight from '../../../locales/zh-TW/insight.json' with { type: 'json' }
import zhReport from '../../../locales/zh-TW/report.json' with { type: 'json' }
import zhTariff from '../../../locales/zh-TW/tariff.json' with { type: 'json' }

const i18n = createInstance()
void i18n.init({
  initAsync: false,
  lng: 'zh-TW',
  fallbackLng: 'zh-TW',
  resources: {
    'zh-TW': { report: zhReport, tariff: zhTariff, energy: zhEnergy, insight: zhInsight },
    'en-US': { report: enReport, tariff: enTariff, energy: enEnergy, insight: enInsight },
  },
  // A letter escapes what it writes as HTML.
  interpolation: { escapeValue: false },
})

/** The words of letters in a language. */
export function wordsIn(language: Language): ReportWords {
  const t = i18n.getFixedT(language)
  return {
    text: (key, values) => t(key, { ...values }),
    has: (key) => i18n.exists(key, { lng: language }),
  }
}
