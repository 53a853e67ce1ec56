import balance from '../../../../locales/en-US/balance.json'
import charts from '../../../../locales/en-US/charts.json'
import electricity from '../../../../locales/en-US/electricity.json'
import energy from '../../../../locales/en-US/energy.json'

/** Texts of the electricity screens in one file, to save requests. */
export default { balance, charts, electricity, energy }
