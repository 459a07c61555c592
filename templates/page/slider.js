// Shows the map after the round that the slider stands at; without it the links below do the same.
// No map is loaded before somebody moves the slider to it.
(function () {
  "use strict";
  var slider = document.getElementById("slider");
  var at = document.getElementById("slider-at");
  var picture = document.getElementById("board-picture");
  var caption = document.getElementById("board-caption");
  var link = document.getElementById("board-link");
  var links = document.querySelectorAll("#maps a");
  if (!slider || !at || !picture || !links.length) return;
  var now = { src: picture.src, alt: picture.alt, words: caption.textContent };
  function show() {
    var place = Number(at.value);
    var last = place === links.length - 1;
    var words = links[place].textContent;
    if (link) link.href = last ? now.src : links[place].href;
    picture.src = last ? now.src : links[place].href;
    picture.alt = last ? now.alt : "Map " + words + ".";
    caption.textContent = last ? now.words : "Map " + words;
    at.setAttribute("aria-valuetext", last ? "now" : words);
  }
  at.value = links.length - 1;
  at.setAttribute("aria-valuetext", "now");
  at.addEventListener("input", show);
  slider.hidden = false;
})();
