import type { Report } from './calls.ts'
import { carbonDocument } from './carbon-document.ts'
import type { ReportDocument, ReportWords } from './document.ts'
import { monthlyDocument } from './monthly-document.ts'

export const documentOf = (report: Report, words: ReportWords): ReportDocument =>
  report.Kind === 'monthly' ? monthlyDocument(report, words) : carbonDocument(report, words)
