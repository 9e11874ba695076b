import * as echarts from 'echarts';
const S = window.S = {};
document.getElementById('root').innerHTML = '<h1>Tons</h1><div id=c style="width:500px;height:300px"></div><h1>Boats</h1><div id=s style="width:500px;height:300px"></div>';
const option = { aria: { enabled: true }, tooltip: { trigger: 'axis' }, legend: { data: ['Salt', 'Tea'] }, xAxis: { data: ['Jan', 'Feb', 'Mar'] }, yAxis: {}, animation: false, series: [{ name: 'Salt', type: 'bar', data: [12, 47, 30] }, { name: 'Tea', type: 'bar', data: [5, 8, 13] }] };
S.chart = echarts.init(document.getElementById('c')); S.chart.setOption(option);
S.chart.on('legendselectchanged', e => { S.legend = e.selected; });
S.svg = echarts.init(document.getElementById('s'), null, { renderer: 'svg' }); S.svg.setOption(option);
S.svg.on('legendselectchanged', e => { S.svgLegend = e.selected; });
