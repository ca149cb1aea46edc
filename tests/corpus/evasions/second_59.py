import PIL.ImageGrab
