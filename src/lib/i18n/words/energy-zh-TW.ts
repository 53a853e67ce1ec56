import balance from '../../../../locales/zh-TW/balance.json'
import charts from '../../../../locales/zh-TW/charts.json'
import electricity from '../../../../locales/zh-TW/electricity.json'
import energy from '../../../../locales/zh-TW/energy.json'

/** The words of what is drawn of electricity, in one file: each would cost a request of its own. */
export default { balance, charts, electricity, energy }
