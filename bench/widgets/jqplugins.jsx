import './jquery-global.js';
import 'bootstrap/dist/css/bootstrap.css';
import * as bootstrap from 'bootstrap';
import 'bootstrap-datepicker/dist/css/bootstrap-datepicker3.css';
import 'slick-carousel/slick/slick.css';
import 'slick-carousel/slick/slick-theme.css';
import 'summernote/dist/summernote-lite.css';
import 'bootstrap-select/dist/css/bootstrap-select.css';
window.bootstrap = bootstrap;
const S = window.S = {};
const $ = window.$;
$('#root').html(`<div style="padding:20px;width:800px"><select class="selectpicker" id="town" title="Choose a town" data-live-search="true"><option>Oslo</option><option>Lima</option><option>Linz</option></select>
<select class="selectpicker" id="crew" multiple title="Choose crew"><option>Ann</option><option>Bo</option><option>Cy</option></select>
<label>Departure <input id="day" value="03/10/2026"></label>
<div id="slick" style="width:500px;margin:30px"><div><h3>Slide alpha</h3></div><div><h3>Slide beta</h3></div><div><h3>Slide gamma</h3></div></div>
<div id="note">Hello summer</div></div>`);
require('bootstrap-select'); require('bootstrap-datepicker'); require('slick-carousel')(window, $); require('summernote/dist/summernote-lite.js');
$.fn.selectpicker.Constructor.BootstrapVersion = '5';
$('.selectpicker').selectpicker();
$('#day').datepicker({ autoclose: true }).on('changeDate', e => { S.day = e.date.getDate(); });
$('#slick').slick({ dots: true, infinite: false }).on('afterChange', (e, s, i) => { S.slide = i; });
$('#note').summernote({ height: 120 });
