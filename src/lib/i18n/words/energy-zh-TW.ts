import balance from '../../../../locales/zh-TW/balance.json'
import charts from '../../../../locales/zh-TW/charts.json'
import electricity from '../../../../locales/zh-TW/electricity.json'
import energy from '../../../../locales/zh-TW/energy.json'

/** Texts of the electricity screens in one file, to save requests. */
export default { balance, charts, electricity, energy }
